#define HALF(x) ((x) / 2)
void halves(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = HALF;
#pragma endscop
}
