#include <string.h>
void prefix(int n, int a[static const restrict n], int b[static const restrict n])
{
#pragma scop
    memset(b, 0, n * sizeof b[0]);
    for (int i = 0; i < n; i++)
        b[i] += a[i];
#pragma endscop
}
