void sums(int n, const float a[static const restrict n], float b[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float t;
        b[i] = a[i] + t;
    }
#pragma endscop
}
