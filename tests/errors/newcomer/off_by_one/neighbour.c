void differences(int n, const float a[static const restrict n], float b[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i + 1] - a[i];
#pragma endscop
}
