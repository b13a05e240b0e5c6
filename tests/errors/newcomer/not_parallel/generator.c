void noise(int n, unsigned seed, float a[static const restrict n])
{
#pragma scop
    unsigned s = seed;
    for (int i = 0; i < n; i++) {
        s = s * 1664525u + 1013904223u;
        a[i] = s / 4294967296.0f;
    }
#pragma endscop
}
