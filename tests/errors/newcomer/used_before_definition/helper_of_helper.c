static float fourth(float x) { return square(x) * square(x); }
static float square(float x) { return x * x; }
void fourths(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = fourth(a[i]);
#pragma endscop
}
