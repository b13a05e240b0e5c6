void clear(int n, float a[static const restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
}
