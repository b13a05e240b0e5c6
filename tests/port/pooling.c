#include <float.h>
void maxpool(const float *in, int c, int h, int w, int p, int s, float *out)
{
    int oh = (h - p) / s + 1, ow = (w - p) / s + 1;
    for (int k = 0; k < c; k++)
        for (int y = 0; y < oh; y++)
            for (int x = 0; x < ow; x++) {
                float m = -FLT_MAX;
                for (int dy = 0; dy < p; dy++)
                    for (int dx = 0; dx < p; dx++) {
                        float v = in[(k * h + s * y + dy) * w + s * x + dx];
                        if (v > m) m = v;
                    }
                out[(k * oh + y) * ow + x] = m;
            }
}
