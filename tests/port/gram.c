#include <math.h>
#include <stddef.h>

float dot(const float *a, const float *b, int n)
{
    float s = 0.0f;
    while (n--)
        s += *a++ * *b++;
    return s;
}

static void normalize(float *v, int n)
{
    float len = sqrtf(dot(v, v, n));
    for (int i = 0; i < n; i++)
        v[i] /= len + 1e-6f;
}

static float pick(const float *row, int k) { return row[k]; }

void gram(float *x, int rows, int n, float *g)
{
    for (int i = 0; i < rows; i++)
        normalize(x + i * n, n);
    for (int i = 0; i < rows; i++) {
        const float *xi = x + i * n;
        for (int j = 0; j < rows; j++)
            g[i * rows + j] = dot(xi, &x[j * n], n) + pick(x + j * n, n - 1);
    }
}

void project(const float *x, size_t rows, size_t n, const float *w, float *y)
{
    for (size_t i = 0; i < rows; i++)
        y[i] = dot(&x[i * n], w, (int)n);
}
