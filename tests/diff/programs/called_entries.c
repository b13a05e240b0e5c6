// A function that has a region is called by the region of another one, and by other files under its own name.
// sizes: n=0,1,33
#include <pencil.h>

int halve(int n, int a[static const restrict n])
{
    int changed = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] / 2 != a[i]) {
            a[i] = a[i] / 2;
            changed++;
        }
#pragma endscop
    return changed;
}

void until_zero(int n, int a[static const restrict n])
{
#pragma scop
    int rounds = 0;
    while (halve(n, a) && rounds < 40)
        rounds++;
#pragma endscop
}
