void smooth(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 1; i < n; i++)
        a[i] = 0.5f * (a[i - 1] + a[i]);
#pragma endscop
}
