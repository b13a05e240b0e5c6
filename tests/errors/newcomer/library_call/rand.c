#include <stdlib.h>
void noise(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = rand() / (float)RAND_MAX;
#pragma endscop
}
