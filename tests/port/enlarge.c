/* Nearest neighbour, twice as large. */
void upsample(const float *in, int w, int h, float *out)
{
    for (int y = 0; y < 2 * h; y++)
        for (int x = 0; x < 2 * w; x++)
            out[y * 2 * w + x] = in[(y / 2) * w + x / 2];
}
