/* Grids whose cells and loops hide behind macros, and pictures with their colours beside each other. */
#define CELL(g, x, y) ((g)->cell[(y) * (g)->w + (x)])
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define SQ(a) ((a) * (a))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

struct grid { int w, h; float *cell; };

void blur(const struct grid *src, struct grid *dst)
{
    for (int y = 1; y < src->h - 1; y++)
        for (int x = 1; x < src->w - 1; x++)
            CELL(dst, x, y) = (CELL(src, x - 1, y) + CELL(src, x + 1, y) + SQ(CELL(src, x, y - 1))) / 3;
}

float longest_row(const struct grid *g)
{
    float best = 0;
    EACH(y, g->h) {
        float s = 0;
        EACH(x, g->w) s += SQ(CELL(g, x, y));
        best = MAX(best, s);
    }
    return best;
}

void brighten(const float *in, unsigned char *out, int w, int h, float gain)
{
    int y, x, c;
    for (y = 0; y < h; y++)
        for (x = 0; x < w; x++)
            for (c = 0; c < 3; c++) {
                float v = in[(y * w + x) * 3 + c] * gain;
                out[(y * w + x) * 3 + c] = (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v);
            }
}
