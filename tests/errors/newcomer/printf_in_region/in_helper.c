#include <stdio.h>
static float checked(float x)
{
    if (x < 0)
        fprintf(stderr, "negative: %f\n", x);
    return x;
}

void all(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = checked(a[i]);
#pragma endscop
}
