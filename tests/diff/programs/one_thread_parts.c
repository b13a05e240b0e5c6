// What one thread does before, between and behind others: neighbours are one kernel.
// sizes: n=0,1,2,31,33 m=0,1,2,33
#include <pencil.h>

void chain(int n, int m, unsigned a[static const restrict n + 1], unsigned o[static const restrict m],
           unsigned x[static const restrict n + 1], unsigned p[static const restrict n + 1])
{
#pragma scop
    unsigned s = 0, t = 1;
    for (int i = 0; i < n; i++)
        s = s * 5 + a[i];
    a[0] = s;
    t = a[0] * 2;
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] * 3 + t;
    for (int i = 1; i < n; i++)
        p[i] = p[i - 1] * 7 + 1;
    for (int j = 0; j < m; j++)
        o[j] = t + s;
    if (m > 0)
        x[0] = o[0];
    for (int i = 1; i < n; i++)
        x[i] = x[i - 1] * 11;
    x[n] = x[0] + p[0];
#pragma endscop
}

unsigned rounds(int n, int m, unsigned a[static const restrict n + 1], unsigned o[static const restrict m])
{
    unsigned s;
#pragma scop
    s = 1;
    for (int k = 0; k < 5; k++) {
        for (int i = 1; i < n; i++)
            a[i] = a[i - 1] * s + i;
        s = s * 3 + a[n];
        for (int i = 1; i < n; i++)
            a[i] = a[i - 1] ^ s;
        for (int j = 0; j < m; j++)
            o[j] = o[j] * s + j;
        a[n] = s;
        s = s + 2;
    }
#pragma endscop
    return s;
}
