// seed 0
// Nobody sees what the region computes: there is no statement left whose order the verifier could ask for.
#include <pencil.h>
static int add(int a, int b) { return a + b; }
static void zero(int *v) { *v = 0; }
void dropped(int n, const int b[static const restrict n])
{
#pragma scop
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, b[i], add);
#pragma endscop
}
void empty(int n, const int b[static const restrict n], int c[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (i > n)
            c[i] = b[i];
#pragma endscop
}
