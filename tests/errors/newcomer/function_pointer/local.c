static float twice(float x) { return 2 * x; }
static float half(float x) { return x / 2; }

void map(int n, int up, float a[static const restrict n])
{
#pragma scop
    float (*f)(float) = up ? twice : half;
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);
#pragma endscop
}
