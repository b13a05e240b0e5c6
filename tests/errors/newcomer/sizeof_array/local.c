void rotate(int n, float a[static const restrict n])
{
#pragma scop
    float t[n];
    for (int i = 0; i < n; i++)
        t[i] = a[(i + 1) % n];
    for (unsigned i = 0; i < sizeof t / sizeof *t; i++)
        a[i] = t[i];
#pragma endscop
}
