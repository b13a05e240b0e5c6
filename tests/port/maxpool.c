#include <float.h>

/* 3x3 max pooling with stride 2: out has ((h - 3) / 2 + 1) rows of ((w - 3) / 2 + 1). */
void maxpool(const float *in, int c, int h, int w, float *out)
{
    int oh = (h - 3) / 2 + 1, ow = (w - 3) / 2 + 1;
    for (int k = 0; k < c; k++)
        for (int y = 0; y < oh; y++)
            for (int x = 0; x < ow; x++) {
                float m = -FLT_MAX;
                for (int dy = 0; dy < 3; dy++)
                    for (int dx = 0; dx < 3; dx++) {
                        float v = in[(k * h + 2 * y + dy) * w + 2 * x + dx];
                        if (v > m) m = v;
                    }
                out[(k * oh + y) * ow + x] = m;
            }
}
