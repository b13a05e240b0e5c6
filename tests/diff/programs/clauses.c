// sizes: n=0,1,33,1009 m=1,17
// `reduction` clauses for scalars and for elements of arrays.
#include <pencil.h>

float dot(int n, const float a[static const restrict n], const float b[static const restrict n]) {
    float s = 0;
#pragma scop
#pragma pencil independent reduction(+: s)
    for (int i = 0; i < n; i++) s += a[i] * b[i];
#pragma endscop
    return s;
}

void rows(int n, int m, const float a[static const restrict n][m], float s[static const restrict n],
          float c[static const restrict m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
#pragma pencil independent reduction(+: s)
        for (int j = 0; j < m; j++) s[i] += a[i][j];
    }
#pragma pencil independent reduction(+: c)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) c[j] += a[i][j];
#pragma endscop
}
