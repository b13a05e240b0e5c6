#include <math.h>
#include <stdlib.h>
static inline float maxf(float a, float b) { return a > b ? a : b; }
float cross_entropy(const float *logits, const int *target, int n, int k, float *grad)
{
    float loss = 0.f;
    for (int i = 0; i < n; i++) {
        const float *z = &logits[i * k];
        float *g = &grad[i * k];
        float m = -INFINITY;
        for (int j = 0; j < k; j++) m = maxf(m, z[j]);
        float s = 0.f;
        for (int j = 0; j < k; j++) {
            g[j] = expf(z[j] - m);
            s += g[j];
        }
        for (int j = 0; j < k; j++) g[j] /= s;
        loss -= logf(g[target[i]]);
        g[target[i]] -= 1.0f;
        for (int j = 0; j < k; j++) g[j] /= n;
    }
    return loss / n;
}
