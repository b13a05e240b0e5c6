void add(int n, const float a[static const restrict n], float b[static const restrict n])
{
#pragma scop
#pragma omp simd
    for (int i = 0; i < n; i++)
        b[i] += a[i];
#pragma endscop
}
