typedef union { float f; unsigned u; } bits;

void signs(int n, const float a[static const restrict n], unsigned s[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        bits b;
        b.f = a[i];
        s[i] = b.u >> 31;
    }
#pragma endscop
}
