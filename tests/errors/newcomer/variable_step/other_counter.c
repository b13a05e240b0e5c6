void sums(int n, float a[static const restrict n])
{
    int j = 0;
#pragma scop
    for (int i = 0; i < n; j++)
        a[j] = 0;
#pragma endscop
}
