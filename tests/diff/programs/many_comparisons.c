// sizes: n=0,1,6,33,100 m=0,5,40
// Conditions of more comparisons than a domain takes: what is beyond is looked at where the statement runs.
#include <pencil.h>
static void izero(int *v) { *v = 0; }
static int iadd(int a, int b) { return a + b; }
void many(int n, int m, const int a[static const restrict n], int b[static const restrict n], int s[static const restrict 1])
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (i > 0 && i < n - 1 && i < m && i > 1 && i != 5 && i != 7 && 2 * i < n + m && i < m + 3 && i >= 2 && i < n + 1 && i + m > 3 && i + 1 < m + 2 && 3 * i < 2 * m && i != 9 && i + n > 4)
            b[i] = a[i] * 2;
        else
            b[i] = a[i] - 1;
    __pencil_reduction_var_init(&s[0], izero);
    for (int i = 0; i < n; i++) {
        if (i > 0 && i < n - 1 && i < m && i > 1 && i != 5 && i != 7 && 2 * i < n + m)
            if (i < m + 3 && i >= 2 && i < n + 1 && i + m > 3 && i + 1 < m + 2)
                if (3 * i < 2 * m && i != 9 && i + n > 4)
                    __pencil_reduction(&s[0], b[i], iadd);
    }
    for (int i = 0; i < n; i++)
        if (i == 3 || i == 5 || i == 8 || i == 13 || i == 21 || i == 34 || i == 55 || i == m || i == m + 2 || i == n - 1 || i == n - 4 || i == 70 || i == 71 || i == 75)
            b[i] += i;
#pragma endscop
}
