// Assumes that say nothing, or what cannot be.
#include <pencil.h>

void useless(int n, unsigned m, float a[static const restrict n])
{
    __pencil_assume(n > 2);
    __pencil_assume(n > 1); // warning[PC0602]: `n > 1` adds nothing
    __pencil_assume(m >= 0); // warning[PC0602]: `m >= 0` adds nothing
    __pencil_assume(n % 4 == 0);
    __pencil_assume(64 / n > 4);
    __pencil_assume(sqrtf(n) > 4); // warning[PC0602]: `sqrtf(n) > 4` is not used
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

void contradictory(int n, float a[static const restrict n])
{
    __pencil_assume(n > 2);
    __pencil_assume(n < 2); // error[PC0602]: `n < 2` contradicts what is known
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

void negative(int n, float a[static const restrict n])
{
    __pencil_assume(n < 0); // error[PC0602]: `n < 0` contradicts what is known
    for (int i = 0; i < n; i++)
        a[i] = 0;
}
