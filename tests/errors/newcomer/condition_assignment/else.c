void f(int n, int a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] > 3)
            a[i] = 1;
        else if (a[i] = 0)
            a[i] = 2;
#pragma endscop
}
