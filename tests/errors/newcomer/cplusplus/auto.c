void scale(int n, float a[static const restrict n])
{
#pragma scop
    for (auto i = 0; i < n; i++)
        a[i] *= 2;
#pragma endscop
}
