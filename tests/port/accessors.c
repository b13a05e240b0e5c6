/* Pixels by way of small helpers. */
typedef unsigned char u8;

static inline float at(const float *a, int w, int r, int c) { return a[r * w + c]; }
static inline void put(float *a, int w, int r, int c, float v) { a[r * w + c] = v; }
static float brightness(const u8 *p, int stride, int x, int y) { return p[y * stride + x] / 255.0f; }

static float clamped(const float *im, int w, int h, int x, int y)
{
    if (x < 0) x = 0;
    if (y < 0) y = 0;
    if (x >= w) x = w - 1;
    if (y >= h) y = h - 1;
    return im[y * w + x];
}

void laplace(float *out, const float *in, int w, int h)
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++)
            put(out, w, y, x, at(in, w, y - 1, x) + at(in, w, y + 1, x) + at(in, w, y, x - 1)
                                  + at(in, w, y, x + 1) - 4 * at(in, w, y, x));
}

void gamma_square(float *out, const u8 *in, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            out[y * w + x] = brightness(in, w, x, y) * brightness(in, w, x, y);
}

void box(float *out, const float *in, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float s = 0;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++)
                    s += clamped(in, w, h, x + i, y + j);
            out[y * w + x] = s / 9;
        }
}
