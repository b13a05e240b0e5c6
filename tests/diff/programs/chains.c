// Chained assignments, and conditions of loops in every affine form.
// sizes: n=0,1,31,1009
#include <pencil.h>

void chains(int n, float a[static const restrict n], int b[static const restrict n], short c[static const restrict n])
{
    float x, y;
    int k;
#pragma scop
    x = y = 2;
    float z = y = x + 1.5f;
    int t = k = 70001;
    for (int i = 0; i < n; i++) {
        a[i] = b[i] = c[i] = 70000 + i; // the value of the short
        b[i] += c[i] = t;
        a[i] += x + y + z + k;
    }
#pragma endscop
}

int sums(int n, const int a[static const restrict n], int o[static const restrict 2])
{
    int i, j, s, t;
#pragma scop
    s = t = 0;
    for (i = j = 0; i < n; i++) {
        s += a[i];
        t += 2 * a[i];
    }
    o[0] = o[1] = s + t + j;
#pragma endscop
    return s;
}
