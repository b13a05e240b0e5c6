void f(int n, int a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] = 3)
            a[i] = 1;
#pragma endscop
}
