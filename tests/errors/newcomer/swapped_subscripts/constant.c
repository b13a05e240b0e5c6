void blur(float a[static const restrict 480][640], float b[static const restrict 480][640])
{
#pragma scop
    for (int x = 0; x < 640; x++)
        for (int y = 0; y < 480; y++)
            b[x][y] = a[y][x];
#pragma endscop
}
