void scale(int n, float a[static const restrict n])
{
    for (int i = 0; i < n; i++)
        a[i] *= 2;
#pragma endscop
}
