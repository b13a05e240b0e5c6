void positive(int n, const float a[static const restrict n], float b[static const restrict n])
{
#pragma scop
    if (n > 1000)
        return;
    for (int i = 0; i < n; i++)
        b[i] = a[i];
#pragma endscop
}
