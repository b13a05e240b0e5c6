void scale(int n, float a[static const restrict n])
{
#pragma scop
    __pencil_assume(n > 0);
    for (int i = 0; i < n; i++)
        a[i] *= 2;
#pragma endscop
}
