void uses(int n, float a[static const restrict n], float b[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = scale * a[i];
        b[i] = scale * b[i];
    }
    for (int i = 0; i < n; i++)
        a[i] = a[i] + scale;
#pragma endscop
}
