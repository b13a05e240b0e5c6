float peak(int n, const float a[static const restrict n])
{
    float m = 0;
#pragma scop
#pragma pencil independent reduction(+: m)
    for (int i = 0; i < n; i++)
        m = a[i] > m ? a[i] : m;
#pragma endscop
    return m;
}
