#define NEXT(x) ((x) + offset)
void shift(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = NEXT(a[i]);
#pragma endscop
}
