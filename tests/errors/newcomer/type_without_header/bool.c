static bool positive(float x) { return x > 0; }
void mark(int n, const float a[static const restrict n], int b[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = positive(a[i]);
#pragma endscop
}
