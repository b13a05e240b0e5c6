void gray(const unsigned char *rgb, unsigned char *out, int w, int h)
{
#pragma scop
    for (int k = 0; k < w * h; k++)
        out[k] = (rgb[3 * k] + rgb[3 * k + 1] + rgb[3 * k + 2]) / 3;
#pragma endscop
}
