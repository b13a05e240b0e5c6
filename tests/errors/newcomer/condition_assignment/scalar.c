void f(int n, int a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
    {
        int k = a[i] % 4;
        if (k = 1) a[i] = 0;
    }
#pragma endscop
}
