void scale(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float t = a[i] * 2
        a[i] = t;
    }
#pragma endscop
}
