// seed 0
// No statement looks at a[1] where n = 2, but it is loaded: there must be memory behind it in the entry on host pointers.
#include <pencil.h>
typedef struct { double w; int v[4]; short k; } Point;
static int add(int a, int b) { return a + b; }
static void zero(int *v) { *v = 0; }
int f(int n, const Point p[static const restrict n])
{
    int s;
#pragma scop
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        if (i % 3 != 1)
            __pencil_reduction(&s, p[i].v[1] % 10 + 1, add);
#pragma endscop
    return s;
}
