#include <string.h>
void smooth(int n, const float a[static const restrict n], float b[static const restrict n])
{
#pragma scop
    memcpy(b, a, n * sizeof(float));
    for (int i = 1; i < n - 1; i++)
        b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
#pragma endscop
}
