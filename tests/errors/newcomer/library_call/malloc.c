#include <stdlib.h>
void reverse(int n, float a[static const restrict n])
{
#pragma scop
    float *t = malloc(n * sizeof(float));
    for (int i = 0; i < n; i++)
        t[i] = a[n - 1 - i];
    for (int i = 0; i < n; i++)
        a[i] = t[i];
    free(t);
#pragma endscop
}
