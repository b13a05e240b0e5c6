/* Reductions with updates in several loops, whose points are no box: each thread does the points that it has, in place. */
#include <pencil.h>

typedef struct { int low, high; } Span;

static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
static void nothing(float *v) { *v = 0.5f; }
static float plus(float a, float b) { return a + b; }
static void empty(Span *s) { s->low = 1000; s->high = -1000; }
static Span one(int v) { Span s = {v, v}; return s; }
static Span both(Span a, Span b) {
    Span s = {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    return s;
}

void every_second(int n, int m, const int a[static const restrict n], const int c[static const restrict m],
                  int b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i += 2) {
        int r;
        __pencil_reduction_var_init(&r, zero);
        for (int j = 0; j < 3; j++) __pencil_reduction(&r, a[i] % 10 + j, add);
        for (int j = 0; j < m; j++) __pencil_reduction(&r, c[j] % 60, add);
        b[i] = r;
    }
#pragma endscop
}

void of_elements(int n, int m, const float a[static const restrict n], const float c[static const restrict m],
                 float b[static const restrict n]) {
#pragma scop
    for (int i = n - 1; i >= 0; i -= 3) {
        __pencil_reduction_var_init(&b[i], nothing);
        for (int j = 0; j < m; j++) __pencil_reduction(&b[i], c[j], plus);
        for (int j = i; j < n; j++) __pencil_reduction(&b[i], a[j], plus);
        for (int j = 0; j < 5; j++) __pencil_reduction(&b[i], a[i] * j, plus);
    }
#pragma endscop
}

void under_a_condition(int h, int n, int m, const int a[static const restrict h][n], const int c[static const restrict m],
                       Span b[static const restrict h][n], int last[static const restrict h]) {
#pragma scop
    for (int y = 0; y < h; y++) {
        for (int i = 0; i < n; i++)
            if (i % 2 == 0) {
                __pencil_reduction_var_init(&b[y][i], empty);
                for (int j = 0; j <= i; j++) __pencil_reduction(&b[y][i], one(a[y][j]), both);
                for (int j = 0; j < m; j++) __pencil_reduction(&b[y][i], one(c[j]), both);
                last[y] = b[y][i].high;
            }
    }
#pragma endscop
}

/* What is added to stays. */
void kept(int n, int m, const int a[static const restrict n], const int c[static const restrict m],
          int b[static const restrict n]) {
#pragma scop
    for (int i = 1; i < n; i += 2) {
        for (int j = 0; j < 4; j++) b[i] += a[i] % 10;
        for (int j = 0; j < m; j++) b[i] += c[j] % 60;
    }
#pragma endscop
}
// sizes: n=0,1,2,33,70 m=0,1,40 h=1,5
