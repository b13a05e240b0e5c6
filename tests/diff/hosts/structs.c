#include <stdio.h>
#include <stdint.h>
#include <pencil.h>
typedef struct { int rows, cols; } shape;
typedef float real;
struct local { int k; };
static inline int idx(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }
static real sum_row(int n, const real r[static const restrict n]);
static void zero(real *v) { *v = 0; }
static real add(real a, real b) { return a + b; }
static real sum_row(int n, const real r[static const restrict n])
{
    real s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, r[idx(i, n)], add);
    return s;
}
static void process(shape sh, real img[static const restrict sh.rows][sh.cols], real out[static const restrict sh.rows])
{
#pragma scop
    for (int i = 0; i < sh.rows; i++)
        for (int j = 0; j < sh.cols; j++)
            img[i][j] = img[i][j] * 2;
#pragma endscop
    for (int i = 0; i < sh.rows; i++)
        out[i] = 0;
}
int main(void)
{
    enum { R = 3, C = 5 };
    real img[R][C], out[R];
    uint8_t bytes[R] = {1, 2, 3};
    shape sh = { R, C };
    for (int i = 0; i < R; i++) for (int j = 0; j < C; j++) img[i][j] = i * C + j;
    process(sh, img, out);
    struct local l = { 2 };
    const int lim = R;
#pragma scop
    for (int i = 0; i < lim; i++) {
        out[i] += img[i][0] + bytes[i];
        bytes[i] = bytes[i] + l.k;
    }
#pragma endscop
    real (*fp)(int, const real *) = 0;
    printf("%g %g %d %d\n", sum_row(R, out), out[2], bytes[1], fp == 0);
    return 0;
}
