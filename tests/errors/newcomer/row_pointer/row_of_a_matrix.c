void add_rows(int h, int w, const float a[static const restrict h][w], float b[static const restrict h][w])
{
#pragma scop
    for (int y = 0; y < h; y++) {
        const float *src = a[y];
        float *dst = b[y];
        for (int x = 0; x < w; x++)
            dst[x] += src[x];
    }
#pragma endscop
}
