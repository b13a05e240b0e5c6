struct image {
    int w, h;
    unsigned char *data;
};

void threshold(struct image im, int n, unsigned char out[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = im.data[i] > 128 ? 255 : 0;
#pragma endscop
}
