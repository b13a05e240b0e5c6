// seed 1030524
// isl takes the only value of the first loop out of the common one: one thread does all that is done for a value.
#include <pencil.h>
void f(int n, const double B[static const restrict n], double E[static const restrict n])
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        if (i == 1) E[i] = B[0] * 0.5 + 1;
    for (int i = 1; i < n - 1; i++) E[i] = E[i] * 0.5 + i;
    for (int i = 0; i < n / 2; i++)
        if (i % 3 == 1) E[i] = B[i] + E[i];
#pragma endscop
}
