static float next(const float a[static const restrict 2]) { return a[0] + a[1]; }

void pairs(int n, const float a[static const restrict n + 1], float b[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = next(a + i);
#pragma endscop
}
