void clear(int h, int w, float **img)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            img[y][x] = 0;
#pragma endscop
}
