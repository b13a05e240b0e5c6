float dot(int n, const float a[static const restrict n], const float b[static const restrict n])
{
    float s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
#pragma endscop
    return s;
}
