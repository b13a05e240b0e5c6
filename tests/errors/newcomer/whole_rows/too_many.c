void f(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i][0] = 0;
#pragma endscop
}
