static int clamp_index(int i, int n)
{
    if (i < 0)
        return 0;
    if (i >= n)
        return n - 1;
    return i;
}

void convolve(const float *src, float *dst, int width, int height, const float *kernel, int ksize)
{
    const int r = ksize / 2;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            float acc = 0.f;
            for (int ky = -r; ky <= r; ++ky)
                for (int kx = -r; kx <= r; ++kx)
                    acc += src[clamp_index(y + ky, height) * width + clamp_index(x + kx, width)]
                         * kernel[(ky + r) * ksize + (kx + r)];
            dst[y * width + x] = acc;
        }
}
