#include <stdoi.h>
#include <maths.h>
void roots(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = sqrtf(a[i]);
#pragma endscop
}
