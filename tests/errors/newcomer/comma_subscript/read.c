void diagonal(int n, const float a[static const restrict n][n], float d[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = a[i,i];
#pragma endscop
}
