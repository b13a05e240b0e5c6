#include <math.h>

static float min3(float a, float b, float c)
{
    float m = a < b ? a : b;
    return m < c ? m : c;
}

/* d has (n + 1) rows of (m + 1). */
float dtw(const float *a, int n, const float *b, int m, float *d)
{
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++)
            d[i * (m + 1) + j] = INFINITY;
    d[0] = 0;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            float cost = fabsf(a[i - 1] - b[j - 1]);
            d[i * (m + 1) + j] = cost + min3(d[(i - 1) * (m + 1) + j], d[i * (m + 1) + j - 1], d[(i - 1) * (m + 1) + j - 1]);
        }
    return d[n * (m + 1) + m];
}
