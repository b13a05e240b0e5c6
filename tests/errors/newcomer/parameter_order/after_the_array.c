void scale(float a[static const restrict n], int n, float k)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] * k;
#pragma endscop
}
