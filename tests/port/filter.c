void filter(const float *src, float *dst, const float *weights, int w, int h, int r)
{
    for (int y = r; y < h - r; y++)
        for (int x = r; x < w - r; x++) {
            const float *k = weights;
            float s = 0;
            for (int j = -r; j <= r; j++)
                for (int i = -r; i <= r; i++)
                    s += *k++ * src[(y + j) * w + x + i];
            dst[y * w + x] = s;
        }
}
