#include <complex.h>
void clear(int n, float complex a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
}
