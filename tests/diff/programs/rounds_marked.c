// sizes: n=0,1,5,33 m=1,40 lim=3,1000
// Reductions by the builtins that begin in front of a place where a loop that data end may be left, and go on behind it.
#include <pencil.h>

static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
/* Begins in front of the break, and is updated behind it. */
void across(int n, int m, const float x[restrict const static n][m], float s[restrict const static n], float lim, float c[restrict const static m]) {
#pragma scop
    for (int r = 0; r < n; r++) {
        __pencil_reduction_var_init(&s[r], zero);
        for (int j = 0; j < m; j++)
            c[j] = c[j] + x[r][j];
        if (c[0] > lim) break;
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s[r], x[r][j], add);
    }
#pragma endscop
}
/* Begins in front of the loop. */
float until(int n, int m, const float x[restrict const static n][m], float lim, float c[restrict const static m]) {
    float s;
#pragma scop
    __pencil_reduction_var_init(&s, zero);
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < m; j++)
            c[j] = c[j] + x[r][j];
        if (c[0] > lim) break;
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s, x[r][j], add);
    }
#pragma endscop
    return s;
}
struct best { float v; int at; };
static void none(struct best *b) { b->v = -1e30f; b->at = -1; }
static struct best pick(struct best a, struct best b) { return a.v > b.v || (a.v == b.v && a.at < b.at && a.at >= 0) ? a : b; }
static void one(int *v) { *v = 0; }
static int odd(int a, int b) { return a + b + a * b; }
/* Values of a struct, and an operator that is known to be associative by its mark alone. */
void across2(int n, int m, const int x[restrict const static n][m], int s[restrict const static n], int lim, int c[restrict const static m], struct best t[restrict const static n]) {
#pragma scop
    for (int r = 0; r < n; r++) {
        __pencil_reduction_var_init(&s[r], one);
        __pencil_reduction_var_init(&t[r], none);
        for (int j = 0; j < m; j++)
            c[j] = c[j] + x[r][j];
        if (c[0] > lim) break;
        for (int j = 0; j < m; j++) {
            struct best e;
            e.v = (float)x[r][j]; e.at = j;
            __pencil_reduction(&t[r], e, pick);
            __pencil_reduction(&s[r], x[r][j] & 1, odd);
        }
    }
#pragma endscop
}
int until2(int n, int m, const int x[restrict const static n][m], int lim, int c[restrict const static m]) {
    int s;
#pragma scop
    __pencil_reduction_var_init(&s, one);
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < m; j++)
            c[j] = c[j] + x[r][j];
        if (c[0] > lim) break;
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s, x[r][j] & 1, odd);
    }
#pragma endscop
    return s;
}
