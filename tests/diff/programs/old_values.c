// sizes: n=0,1,2,31,33 m=0,1,33 cap=0,7,40
// What a loop overwrites it reads first, as it was before the region: from a copy.
#include <pencil.h>
typedef struct { float x, y; } Pair;

/* one thread without a copy */
void shift(int n, float a[restrict const static n + 1]) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 2 * a[i + 1];
#pragma endscop
}
/* a loop on the host without a copy, of fronts */
void corner(int n, int m, float a[restrict const static n + 1][m + 1]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = a[i][j] + a[i + 1][j] + a[i][j + 1];
#pragma endscop
}
/* backwards, and the element itself is read too */
void backwards(int n, int a[restrict const static n + 1]) {
#pragma scop
    for (int i = n; i > 0; i--)
        a[i] = a[i] / 2 + a[i - 1];
#pragma endscop
}
/* rows one behind the other in one array */
void flattened(int n, int m, float a[restrict const static n * m]) {
#pragma scop
    for (int i = 0; i + 1 < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] += a[(i + 1) * m + m - 1 - j];
#pragma endscop
}
/* sums of rows that are overwritten one after the other */
void triangle(int n, int m, const float l[restrict const static n][n], float b[restrict const static n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            for (int k = i + 1; k < n; k++)
                b[i][j] += l[k][i] * b[k][j];
            b[i][j] = 3 * b[i][j];
        }
#pragma endscop
}
/* two arrays change places: a copy of one will do */
void crossed(int n, float a[restrict const static n + 1], float b[restrict const static n + 1]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float t = b[i + 1];
        b[i] = a[i + 1];
        a[i] = t;
    }
#pragma endscop
}
/* copies of both, or one thread */
void both(int n, float a[restrict const static n + 1], float b[restrict const static n + 1]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = a[i + 1] + b[i + 1];
        b[i] = b[i + 1] - a[i + 1];
    }
#pragma endscop
}
/* elements that a condition leaves out, and that sizes do */
void guarded(int n, int cap, float a[restrict const static cap + 1]) {
#pragma scop
    if (n <= cap)
        for (int i = 0; i < n; i++)
            a[i] = i + 1 < n ? a[i + 1] : a[i];
#pragma endscop
}
/* data choose which are read */
void chosen(int n, const int p[restrict const static n], float a[restrict const static n + 1]) {
#pragma scop
    for (int i = 0; i < n; i++)
        if (p[i] > 0)
            a[i] = a[i + 1] - a[i];
#pragma endscop
}
/* whole structs */
void pairs(int n, Pair a[restrict const static n + 1]) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i + 1];
#pragma endscop
}
/* a second loop reads what the first one has written */
void behind(int n, float a[restrict const static n + 2], float b[restrict const static n + 2]) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i + 2] - a[i + 1];
    for (int i = 0; i < n; i++)
        b[i] = b[i + 1] + a[i];
#pragma endscop
}
/* no copy helps: what is read has been written by an iteration before */
void mirrored(int n, float a[restrict const static n + 1]) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] + a[n - i];
#pragma endscop
}
/* nor here: in the second round of the loop around the values are new */
void rounds(int n, float a[restrict const static n + 1]) {
#pragma scop
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < n; i++)
            a[i] = a[i + 1] + t;
#pragma endscop
}
