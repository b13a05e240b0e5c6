float last(int n, const float a[static const restrict n])
{
    float s = 0;
#pragma scop
#pragma pencil independent reduction(+: s)
    for (int i = 0; i < n; i++)
        s = a[i];
#pragma endscop
    return s;
}
