void clear(int n, float a[static const restrict n])
{
#pragma scop
    float *p = a;
    for (int i = 0; i < n; i++)
        *p++ = 0;
#pragma endscop
}
