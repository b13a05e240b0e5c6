#include <pencil.h>
static int min(int a, int b) { return a < b ? a : b; }
void limit(int n, int a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = min(a[i], 10);
#pragma endscop
}
