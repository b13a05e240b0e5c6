int has(int h, int w, const int a[static const restrict h][w], int key)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            if (a[y][x] == key) {
                return 1;
            }
        }
#pragma endscop
    return 0;
}
