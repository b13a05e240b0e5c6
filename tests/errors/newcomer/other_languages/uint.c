void f(int n, float a[static const restrict n])
{
#pragma scop
    for (uint i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
}
