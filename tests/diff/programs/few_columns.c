// sizes: n=1,2,4,33 m=0,1,37 rounds=0,4,13
// Conditions that leave one value of the last loop: the innermost loop is another one then, along which the elements do
// not lie side by side.
#include <pencil.h>

typedef struct { int low, weight; double value; } Cell;

static void izero(int *v) { *v = 0; }
static int iadd(int a, int b) { return a + b; }
static void dzero(double *v) { *v = 0; }
static double dadd(double a, double b) { return a + b; }

// From the tenth round on all elements, before it one of them.
int warm_up(int rounds, int n, const int a[static const restrict n])
{
    int s;
    __pencil_reduction_var_init(&s, izero);
    for (int i = 0; i < rounds; i++)
        for (int j = 0; j < n; j++)
            if (i >= 10 || j == 1)
                __pencil_reduction(&s, a[j] % 1000 + i, iadd);
    return s;
}

// Three loops, of which conditions leave one, in turn.
int one_of_three(int n, int m, const Cell c[static const restrict n][m], int b[static const restrict m])
{
    int s;
    __pencil_reduction_var_init(&s, izero);
    for (int k = 3; k < m; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                if ((j == 2 && i == 1) || (k == 4 && i == 2) || (k == 5 && j == 3))
                    __pencil_reduction(&s, c[i][j].weight % 100 + b[j] % 10 + k, iadd);
    return s;
}

// The same below a loop whose iterations have a sum each.
void row_of_each(int n, int rounds, int m, const double a[static const restrict n][m], double out[static const restrict n])
{
    for (int r = 0; r < n; r++) {
        double s;
        __pencil_reduction_var_init(&s, dzero);
        for (int i = 0; i < rounds; i++)
            for (int j = 0; j < m; j++)
                if (i > 3 || j == m - 1)
                    __pencil_reduction(&s, a[r][j] * (i + 1), dadd);
        out[r] = s;
    }
}

// Rows of which one column counts at first, and a triangle behind it.
void columns(int n, int m, const double a[static const restrict n][m], double out[static const restrict m])
{
    for (int j = 0; j < m; j++) {
        double s;
        __pencil_reduction_var_init(&s, dzero);
        for (int i = 0; i < n; i++)
            if (i > 5 || j == 2)
                __pencil_reduction(&s, a[i][j], dadd);
        out[j] = s;
    }
}

int staircase(int n, const int a[static const restrict n][n])
{
    int s;
    __pencil_reduction_var_init(&s, izero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            if (i - j > 7 || j == 0)
                __pencil_reduction(&s, a[i][j] % 1000, iadd);
    return s;
}

// A loop of one value as it is written.
int written(int n, int m, const int a[static const restrict m])
{
    int s;
    __pencil_reduction_var_init(&s, izero);
    for (int i = 0; i < n; i++)
        for (int j = 4; j < 5 && j < m; j++)
            __pencil_reduction(&s, a[j] % 1000 + i, iadd);
    return s;
}

// One element of each row, another one in each.
int diagonal(int n, int m, const int a[static const restrict n][m])
{
    int s;
    __pencil_reduction_var_init(&s, izero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (i == j)
                __pencil_reduction(&s, a[i][j] % 1000 + i, iadd);
    return s;
}
