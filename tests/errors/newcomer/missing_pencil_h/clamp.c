void clip(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = fclampf(a[i], 0.0f, 1.0f);
#pragma endscop
}
