// sizes: n=0,1,33,300 m=1,40
// Indirect subscripts, read and written.
#include <pencil.h>

void gathered(int n, int m, const int p[static const restrict n], const float a[static const restrict m], float b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) { int k = p[i]; if (k >= 0 && k < m) b[i] = a[k]; else b[i] = 0; }
#pragma endscop
}

void scattered(int n, int m, const int p[static const restrict n], const float a[static const restrict n], float b[static const restrict m]) {
#pragma scop
    for (int i = 0; i < n; i++) { int k = p[i]; if (k >= 0 && k < m) b[k] = a[i]; }
#pragma endscop
}

void promised(int n, const int p[static const restrict n], const float a[static const restrict n], float b[static const restrict n]) {
#pragma scop
    __pencil_assume(n > 0);
    #pragma pencil independent
    for (int i = 0; i < n; i++) { int k = p[i] % n; if (k < 0) k += n; b[i] = a[k]; }
#pragma endscop
}
