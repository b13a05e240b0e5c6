void scale(int n, float a[static const restrict n], float &k)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] *= k;
#pragma endscop
}
