void filter(int n, const float a[static const restrict n], float b[static const restrict n])
{
#pragma scop
    float w[3];
    w[0] = 1;
    w[1] = 2;
    for (int i = 2; i < n; i++)
        b[i] = w[0] * a[i] + w[1] * a[i - 1] + w[2] * a[i - 2];
#pragma endscop
}
