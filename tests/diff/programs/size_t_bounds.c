// Bounds and subscripts of size_t: `h - 1` is meant as a number below the height, `y + j` with a negative `j` comes back.
// sizes: h=1,2,3,19,40 w=1,3,33,70 k=1,3,5 n=5,7,133
#include <stddef.h>

void edges(size_t w, size_t h, const float in[static const restrict h * w], float out[static const restrict h * w])
{
#pragma scop
    for (size_t y = 1; y < h - 1; y++)
        for (size_t x = 1; x < w - 1; x++) {
            float s = 0;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++)
                    s += in[(y + j) * w + (x + i)] * (i + 2 * j);
            out[y * w + x] = s;
        }
#pragma endscop
}

void filter(size_t n, size_t k, const float a[static const restrict n], const float f[static const restrict k],
            float b[static const restrict n], float c[static const restrict n])
{
#pragma scop
    size_t m = n - k + 1;
    for (size_t i = 0; i < n - k + 1; i++) {
        float s = 0;
        for (size_t j = 0; j < k; j++)
            s += a[i + j] * f[j];
        b[i] = s;
    }
    for (size_t i = 0; i < m; i++)
        c[i] = a[i + k - 1] - a[m - 1 - i];
#pragma endscop
}

void scale(int h, int w, const float a[static const restrict h * w], float b[static const restrict h * w])
{
#pragma scop
    for (size_t y = 0; y < h; y++)
        for (size_t x = 0; x < w; x++)
            b[y * w + x] = 2 * a[y * w + x];
#pragma endscop
}

void groups(size_t n, const float a[static const restrict 6 * n], float y[static const restrict n * 6], float s[static const restrict n])
{
#pragma scop
    for (size_t k = 0; k < n * 6; k++)
        y[k] = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < 2; j++)
            for (size_t k = 0; k < 3; k++)
                y[i * 6 + j * 3 + k] += a[(i * 2 + j) * 3 + k];
    for (size_t i = 0; i < n; i++) {
        const size_t first = 6 * i;
        s[i] = y[first] - y[first + 5];
    }
#pragma endscop
}
