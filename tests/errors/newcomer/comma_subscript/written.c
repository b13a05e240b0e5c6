void clear(int n, float a[static const restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i, j] = 0;
#pragma endscop
}
