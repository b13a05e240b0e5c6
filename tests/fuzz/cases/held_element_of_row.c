// A struct of each row that stays in registers while the row is gone through: the same for all elements, at no place of theirs.
#include <pencil.h>
typedef struct { int v[4]; int w; } Point;
void f1332360(int n, int m, int B[static const restrict n], int C[static const restrict m],
              double D[static const restrict n][m], const Point P[static const restrict n])
{
#pragma scop
    for (int k5 = 0; k5 < m; k5++)
        C[k5] = 0;
    for (int i1 = 0; i1 < n; i1++) {
        B[i1] = 0;
        for (int j2 = 0; j2 < m; j2++) {
            int x4 = P[i1].v[j2 & 3] % 10;
            D[i1][j2] += x4;
            B[i1] += x4 % 7;
            C[j2] += x4;
        }
    }
    if (n > 0)
        B[0] = B[0] % 1000;
#pragma endscop
}
