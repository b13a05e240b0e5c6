static void zero_row(int w, float a[static const restrict w])
{
    for (int x = 0; x < w; x++)
        a[x] = 0;
}

void clear(int h, int w, float a[static const restrict h * w])
{
#pragma scop
    for (int y = 0; y < h; y++)
        zero_row(w, &a[y * w]);
#pragma endscop
}
