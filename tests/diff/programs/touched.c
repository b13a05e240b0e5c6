// Elements that are updated only under conditions on parameters: elsewhere there may be none, and nothing is touched.
// sizes: n=0,3,40 m=0,300 k=-1,0,5 has=0,1
#include <pencil.h>

static int larger(int a, int b) { return a > b ? a : b; }

/* one element, which may lie outside */
void add_at(int n, int m, int k, float s[static const restrict n], const float x[static const restrict m]) {
#pragma pencil independent reduction(+: s)
    for (int i = 0; i < m; i++)
        if (k >= 0 && k < n)
            s[k] += x[i];
}

/* a null pointer where there is no bias */
void bias(int has, int n, int m, float b[static const restrict has * n], const float d[static const restrict m * n]) {
#pragma pencil independent reduction(+: b)
    for (int o = 0; o < n; o++)
        for (int i = 0; i < m; i++)
            if (has)
                b[o] += d[i * n + o];
}

void largest(int has, int n, int m, int s[static const restrict has * n], const int x[static const restrict m * n]) {
#pragma scop
    for (int o = 0; o < n; o++)
        for (int i = 0; i < m; i++)
            if (has)
                s[o] = larger(s[o], x[i * n + o]);
#pragma endscop
}

/* an array without elements */
void into_first(int n, int s[static const restrict n], const int x[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        s[0] |= x[i];
#pragma endscop
}

/* in rows, some of which are not there */
void into_rows(int n, int m, int k, int s[static const restrict n], const int x[static const restrict n + 5][m]) {
#pragma scop
    for (int i = 0; i < n + 5; i++)
        for (int j = 0; j < m; j++)
            if (k == 5 && i < n)
                s[i] ^= x[i][j];
#pragma endscop
}
