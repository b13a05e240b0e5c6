#include <stdlib.h>
static inline int clampi(int v, int lo, int hi) { return v < lo ? lo : (v > hi ? hi : v); }

/* 3x3 Sobel magnitude on an 8-bit picture, `stride` in bytes. */
int sobel(const unsigned char *src, unsigned char *dst, int w, int h, int stride)
{
    static const int gx[9] = { -1, 0, 1, -2, 0, 2, -1, 0, 1 };
    static const int gy[9] = { -1, -2, -1, 0, 0, 0, 1, 2, 1 };
    if (!src || !dst)
        return -1;
    if (w < 3 || h < 3)
        return -2;
    for (int y = 1; y < h - 1; y++) {
        for (int x = 1; x < w - 1; x++) {
            int sx = 0, sy = 0;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++) {
                    int p = src[(y + j) * stride + (x + i)];
                    sx += p * gx[(j + 1) * 3 + i + 1];
                    sy += p * gy[(j + 1) * 3 + i + 1];
                }
            dst[y * stride + x] = (unsigned char)clampi(abs(sx) + abs(sy), 0, 255);
        }
    }
    return 0;
}
