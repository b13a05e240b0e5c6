void copy(int n, const float a[static const restrict n][4], float b[static const restrict n][4])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i];
#pragma endscop
}
