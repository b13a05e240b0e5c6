#include <assert.h>
void roots(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        assert(a[i] >= 0);
        a[i] = 0;
    }
#pragma endscop
}
