// seed 0
// A name for a value of one member, which is read where another member, of other dimensions, is overwritten.
#include <pencil.h>
typedef struct { int v[4]; double w; } Point;
void f(int n, int B[static const restrict n], double E[static const restrict n], Point P[static const restrict n])
{
#pragma scop
    for (int i = 1; i < n; i++)
        B[i] = (B[i - 1] ^ B[i]) % 77;
    for (int i = 0; i < n; i++) {
        int x;
        E[i] = B[i] = x = P[n - 1 - i].v[1] % 22 - P[i / 2].v[2] % 30;
        P[i].w = x;
    }
#pragma endscop
}
