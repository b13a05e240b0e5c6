#include <math.h>
#include <stddef.h>
enum activation { LINEAR, RELU, SIGMOID, TANH };
struct layer { int in, out; enum activation act; const float *w; const float *b; };

static float activate(float z, enum activation act)
{
    switch (act) {
    case RELU:
        return z > 0 ? z : 0;
    case SIGMOID:
        return 1.0f / (1.0f + expf(-z));
    case TANH:
        return tanhf(z);
    default:
        return z;
    }
}

void forward(const struct layer *l, int batch, const float *x, float *y)
{
    for (int s = 0; s < batch; s++)
        for (int o = 0; o < l->out; o++) {
            float z = l->b[o];
            for (int i = 0; i < l->in; i++)
                z += l->w[o * l->in + i] * x[s * l->in + i];
            y[s * l->out + o] = activate(z, l->act);
        }
}

float cross_entropy(const float *p, const int *label, int n, int classes)
{
    float loss = 0;
    for (int s = 0; s < n; s++)
        loss -= logf(p[s * classes + label[s]] + 1e-9f);
    return loss / n;
}

float accuracy(const float *p, const int *label, int n, int classes)
{
    int right = 0;
    for (int s = 0; s < n; s++) {
        int best = 0;
        for (int c = 1; c < classes; c++)
            if (p[s * classes + c] > p[s * classes + best])
                best = c;
        right += best == label[s];
    }
    return (float)right / n;
}

void sgd(float *w, const float *g, size_t n, float lr, float decay)
{
    for (size_t i = 0; i < n; i++)
        w[i] -= lr * (g[i] + decay * w[i]);
}
