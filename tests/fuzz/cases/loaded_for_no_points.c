// seed 1081152
// A sum loads what the loop before it has written; where `n` is odd neither runs, and what comes back is what there was.
#include <pencil.h>
static void zero(int *s) { *s = 0; }
static int add(int a, int b) { return a + b; }
void f(int n, int A[static const restrict n], int B[static const restrict n], int G[static const restrict 40])
{
#pragma scop
    if (n % 2 == 0) {
        int s;
        for (int i = 0; i < n; ++i) B[i] = i * 7 % 23;
        __pencil_reduction_var_init(&s, zero);
        for (int k = 0; k < n; k++) __pencil_reduction(&s, B[k] % 50, add);
        G[0] = s;
        for (int i = 0; i < n; i++) A[i] = s;
    }
#pragma endscop
}
void g(int n, int m, int B[static const restrict n], int C[static const restrict n])
{
#pragma scop
    if (m > 0)
        for (int i = 0; i < n; i++) B[i] = i;
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&C[i], zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&C[i], B[i], add);
    }
#pragma endscop
}
