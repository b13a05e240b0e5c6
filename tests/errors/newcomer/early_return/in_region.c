int sorted(int n, const int a[static const restrict n])
{
#pragma scop
    for (int i = 1; i < n; i++)
        if (a[i] < a[i - 1]) return 0;
    return 1;
#pragma endscop
}
