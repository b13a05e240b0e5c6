#include <stddef.h>

/* c = alpha * a * b + beta * c, all of them row by row in one array each. */
void multiply(float alpha, const float *a, const float *b, float beta, float *c, size_t m, size_t n, size_t k)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            float sum = 0.0f;
            for (size_t l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = alpha * sum + beta * c[i * n + j];
        }
}
