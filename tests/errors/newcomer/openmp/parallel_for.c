void scale(int n, float a[static const restrict n])
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = 2 * a[i];
}
