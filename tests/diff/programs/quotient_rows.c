// Flattened arrays whose rows are quotients of sizes: pooling, every second element, windows, in `size_t` too.
// sizes: h=1,2,3,7,36 w=1,2,33,70 c=0,1,3
#include <stddef.h>

void largest(int c, int h, int w, const float in[static const restrict c * h * w],
             float out[static const restrict c * (h / 2) * (w / 2)])
{
#pragma scop
    for (int k = 0; k < c; k++)
        for (int i = 0; i < h / 2; i++)
            for (int j = 0; j < w / 2; j++) {
                float m = in[(k * h + 2 * i) * w + 2 * j];
                for (int a = 0; a < 2; a++)
                    for (int b = 0; b < 2; b++) {
                        float v = in[(k * h + 2 * i + a) * w + 2 * j + b];
                        if (v > m) m = v;
                    }
                out[(k * (h / 2) + i) * (w / 2) + j] = m;
            }
#pragma endscop
}

void halved(size_t h, size_t w, const float in[static const restrict h * w],
            float out[static const restrict (h / 2) * (w / 2)])
{
#pragma scop
    size_t rows = h / 2, columns = w / 2;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            out[i * columns + j] = in[2 * i * w + 2 * j] - in[(2 * i + 1) * w + 2 * j + 1];
#pragma endscop
}

void second(int h, int w, const float in[static const restrict h * w],
            float out[static const restrict ((h + 1) / 2) * ((w + 1) / 2)])
{
#pragma scop
    for (int i = 0; i < h; i += 2)
        for (int j = 0; j < w; j += 2)
            out[i / 2 * ((w + 1) / 2) + j / 2] = in[i * w + j];
#pragma endscop
}
