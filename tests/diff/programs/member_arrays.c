// Members of structs that are arrays, reduced element by element or all together.
// sizes: n=0,33 m=7
#include <pencil.h>
typedef struct { float w; float x[8]; } Row;
typedef struct { float x[8]; } Only;
static void fzero(float *v) { *v = 0; }
static float fadd(float a, float b) { return a + b; }
void cols(int n, int m, const Row r[static const restrict n][m], float s[static const restrict 8])
{
    for (int k = 0; k < 8; k++)
        __pencil_reduction_var_init(&s[k], fzero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < 8; k++)
                __pencil_reduction(&s[k], r[i][j].x[k], fadd);
}
float all(int n, int m, const Row r[static const restrict n][m])
{
    float s;
    __pencil_reduction_var_init(&s, fzero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < 8; k++)
                __pencil_reduction(&s, r[i][j].x[k], fadd);
    return s;
}
float only(int n, int m, const Only r[static const restrict n][m])
{
    float s;
    __pencil_reduction_var_init(&s, fzero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < 8; k++)
                __pencil_reduction(&s, r[i][j].x[k], fadd);
    return s;
}
void rows(int n, int m, const Row r[static const restrict n][m], float o[static const restrict n], float q[static const restrict n])
{
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&o[i], fzero);
        __pencil_reduction_var_init(&q[i], fzero);
        for (int j = 0; j < m; j++) {
            __pencil_reduction(&q[i], r[i][j].w, fadd);
            for (int k = 0; k < 8; k++)
                __pencil_reduction(&o[i], r[i][j].x[k], fadd);
        }
    }
}
// A member that is no array beside one that is, in nests of their own.
typedef struct { int v[2]; float w; int low; } Cell;
static void izero(int *v) { *v = 0; }
static int iadd(int a, int b) { return a + b; }
void apart(int n, int m, const Cell c[static const restrict n][m], int o[static const restrict 2])
{
    int s, t;
    __pencil_reduction_var_init(&s, izero);
    __pencil_reduction_var_init(&t, izero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s, c[i][j].low % 1000, iadd);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < 2; k++)
                __pencil_reduction(&t, c[i][j].v[k] % 1000, iadd);
    o[0] = s;
    o[1] = t;
}
