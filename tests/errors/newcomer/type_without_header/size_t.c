void scale(size_t n, float a[static const restrict n])
{
#pragma scop
    for (size_t i = 0; i < n; i++)
        a[i] *= 2;
#pragma endscop
}
