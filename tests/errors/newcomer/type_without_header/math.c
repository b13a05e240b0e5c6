void circle(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = sinf(2 * M_PI * i / n);
#pragma endscop
}
