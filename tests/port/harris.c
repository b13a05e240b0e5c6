#include <stdlib.h>

/* Corner strength: det(M) - k trace(M)^2 of the 3x3 sums of products of gradients. */
void harris(const float *img, int w, int h, float k, float *ix, float *iy, float *out)
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            const float *p = img + y * w + x;
            ix[y * w + x] = 0.5f * (p[1] - p[-1]);
            iy[y * w + x] = 0.5f * (p[w] - p[-w]);
        }
    for (int y = 2; y < h - 2; y++)
        for (int x = 2; x < w - 2; x++) {
            float a = 0, b = 0, c = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    float gx = ix[(y + dy) * w + x + dx];
                    float gy = iy[(y + dy) * w + x + dx];
                    a += gx * gx;
                    b += gx * gy;
                    c += gy * gy;
                }
            out[y * w + x] = a * c - b * b - k * (a + c) * (a + c);
        }
}
