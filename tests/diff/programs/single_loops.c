// Loops of one iteration that begin where another loop stands: their counters are other names of that.
// sizes: n=0,1,31,33 m=0,1,33
#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
#define SUMS(NAME, LOOP) void NAME(int n, int m, const float a[static const restrict n][m], float c[static const restrict n]) \
{ \
_Pragma("scop") \
    for (int i = 0; i < n; i++) { \
        __pencil_reduction_var_init(&c[i], zero); \
        for (LOOP) \
            for (int k = 0; k < m; k++) \
                __pencil_reduction(&c[r], a[r][k], add); \
    } \
_Pragma("endscop") \
}
SUMS(up_to, int r = i; r <= i; r++)
SUMS(below_next, int r = i; r < i + 1; r++)
SUMS(unlike_next, int r = i; r != 1 + i; r++)
SUMS(down_to, int r = i; r >= i; r--)
SUMS(by_three, long r = i; r <= i; r += 3)
SUMS(empty, int r = i; r < i; r++)
void nested(int n, int m, const float a[static const restrict n][m], float c[static const restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int r = j; r <= j; r++) {
                __pencil_reduction_var_init(&c[i][r], zero);
                for (int q = r; q < r + 1; q++)
                    for (int k = 0; k < m; k++)
                        __pencil_reduction(&c[i][q], a[i][k] * a[r][k], add);
            }
#pragma endscop
}
