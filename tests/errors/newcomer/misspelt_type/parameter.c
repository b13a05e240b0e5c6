void scale(int n, flaot a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] *= 2;
#pragma endscop
}
