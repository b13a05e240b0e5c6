struct pixel { unsigned char r, g, b; };

static unsigned char clamp(int v) { return v < 0 ? 0 : v > 255 ? 255 : (unsigned char)v; }

void sharpen(const struct pixel *in, struct pixel *out, int w, int h)
{
    static const int k[3][3] = {{0, -1, 0}, {-1, 5, -1}, {0, -1, 0}};
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            int r = 0, g = 0, b = 0;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++) {
                    const struct pixel *p = &in[(y + j) * w + (x + i)];
                    r += k[j + 1][i + 1] * p->r;
                    g += k[j + 1][i + 1] * p->g;
                    b += k[j + 1][i + 1] * p->b;
                }
            out[y * w + x].r = clamp(r);
            out[y * w + x].g = clamp(g);
            out[y * w + x].b = clamp(b);
        }
}
