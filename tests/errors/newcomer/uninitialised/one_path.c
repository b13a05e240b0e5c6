void clip(int n, const float a[static const restrict n], float b[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float t;
        if (a[i] > 0)
            t = a[i];
        b[i] = t;
    }
#pragma endscop
}
