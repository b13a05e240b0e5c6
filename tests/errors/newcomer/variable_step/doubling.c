void powers(int n, float a[static const restrict n])
{
#pragma scop
#pragma pencil independent
    for (int i = 1; i < n; i *= 2)
        a[i] = 0;
#pragma endscop
}
