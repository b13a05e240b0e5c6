void clear(int h, int w, float a[static const restrict h][w])
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            a[x][y] = 0;
#pragma endscop
}
