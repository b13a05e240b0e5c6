void every(int n, int k, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i += k)
        a[i] = 0;
#pragma endscop
}
