void f(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            a[i] = 1;
        elif (a[i] < 0)
            a[i] = 2;
#pragma endscop
}
