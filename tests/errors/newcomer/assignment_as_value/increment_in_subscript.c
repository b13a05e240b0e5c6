void pack(int n, const int a[static const restrict n], int b[static const restrict n])
{
#pragma scop
    int k = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            b[k++] = a[i] + k;
#pragma endscop
}
