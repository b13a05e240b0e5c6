#include <stdlib.h>
void check(int n, const float a[static const restrict n], float b[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] < 0)
            exit(1);
        b[i] = a[i];
    }
#pragma endscop
}
