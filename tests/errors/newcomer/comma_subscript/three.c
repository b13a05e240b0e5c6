void edge(int n, const float a[static const restrict n][n][n], float d[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = a[0, i, n - 1];
#pragma endscop
}
