void both(int n, float a[static const restrict n], float b[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = (b[i] = 1, 2);
#pragma endscop
}
