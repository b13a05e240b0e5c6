void lowest(int n, const float a[static const restrict n], float b[static const restrict 1])
{
#pragma scop
    float m = FLT_MAX;
    for (int i = 0; i < n; i++)
        if (a[i] < m)
            m = a[i];
    b[0] = m;
#pragma endscop
}
