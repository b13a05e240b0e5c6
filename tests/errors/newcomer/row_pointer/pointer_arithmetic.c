void invert(int h, int w, int stride, unsigned char img[static const restrict h * stride])
{
#pragma scop
    for (int y = 0; y < h; y++) {
        unsigned char *row = img + y * stride;
        for (int x = 0; x < w; x++)
            row[x] = 255 - row[x];
    }
#pragma endscop
}
