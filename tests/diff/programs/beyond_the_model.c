// sizes: n=0,1,6,33,100 m=0,5,40
// Conditions of more comparisons than a domain takes, a subscript of more remainders: what is beyond is data.
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
void remainders(int n, const int b[static const restrict 300], int a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = b[(i * 3) % 7 + (i * 5) % 11 + (i * 7) % 13 + (i * 9) % 17 + (i * 11) % 19 + (i * 13) % 23 + (i * 15) % 29 + (i * 17) % 31 + (i * 19) % 37 + (i * 21) % 41];
#pragma endscop
}
