typedef unsigned char u8;
#define SWAP(a, b) do { if ((a) > (b)) { u8 t_ = (a); (a) = (b); (b) = t_; } } while (0)
static u8 median9(u8 *p)
{
    SWAP(p[1], p[2]); SWAP(p[4], p[5]); SWAP(p[7], p[8]);
    SWAP(p[0], p[1]); SWAP(p[3], p[4]); SWAP(p[6], p[7]);
    SWAP(p[1], p[2]); SWAP(p[4], p[5]); SWAP(p[7], p[8]);
    SWAP(p[0], p[3]); SWAP(p[5], p[8]); SWAP(p[4], p[7]);
    SWAP(p[3], p[6]); SWAP(p[1], p[4]); SWAP(p[2], p[5]);
    SWAP(p[4], p[7]); SWAP(p[4], p[2]); SWAP(p[6], p[4]);
    SWAP(p[4], p[2]);
    return p[4];
}
void median3x3(const u8 *src, u8 *dst, int w, int h)
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            u8 win[9];
            int k = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    win[k++] = src[(y + dy) * w + x + dx];
            dst[y * w + x] = median9(win);
        }
}
