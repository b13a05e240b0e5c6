void copy(int n, const void *from, void *to)
{
#pragma scop
    const float *f = from;
    float *t = to;
    for (int i = 0; i < n; i++)
        t[i] = f[i];
#pragma endscop
}
