// sizes: n=0,1,3,34 m=1,2,33
// Loops that are sequential from outside: points that wait for others of the same nest go front by front, and the
// columns of factorisations one by one.
#include <math.h>
#include <pencil.h>
static void far_away(int *v) { *v = 1 << 20; }
static int smaller(int a, int b) { return a < b ? a : b; }
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }

void longest_common_subsequence(int n, int m, const int a[static const restrict n], const int b[static const restrict m],
                                int l[static const restrict n + 1][m + 1]) {
#pragma scop
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            if (i == 0 || j == 0)
                l[i][j] = 0;
            else if (a[i - 1] % 4 == b[j - 1] % 4)
                l[i][j] = l[i - 1][j - 1] + 1;
            else
                l[i][j] = l[i - 1][j] > l[i][j - 1] ? l[i - 1][j] : l[i][j - 1];
        }
#pragma endscop
}

void edit_distance(int n, int m, const int a[static const restrict n], const int b[static const restrict m],
                   int d[static const restrict n + 1][m + 1]) {
    int best, t;
#pragma scop
    for (int i = 0; i <= n; i++)
        d[i][0] = i;
    for (int j = 1; j <= m; j++)
        d[0][j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            best = d[i - 1][j] + 1;
            t = d[i][j - 1] + 1;
            if (t < best)
                best = t;
            t = d[i - 1][j - 1] + (a[i - 1] % 4 != b[j - 1] % 4);
            best = t < best ? t : best;
            d[i][j] = best;
        }
#pragma endscop
}

void in_place(int n, int m, float a[static const restrict n][m]) {
#pragma scop
    for (int t = 0; t < 3; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = 0.2f * (a[i - 1][j] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j]);
#pragma endscop
}

void cube(int n, int m, int a[static const restrict n][n][m]) {
#pragma scop
    for (int i = 1; i < n; ++i)
        for (int j = 1; j < n; ++j)
            for (int k = 1; k < m; ++k)
                a[i][j][k] = (a[i][j][k] + a[i - 1][j][k] + a[i][j - 1][k] + a[i][j][k - 1]) % 1000;
#pragma endscop
}

void backwards(int n, int m, int a[static const restrict n][m]) {
#pragma scop
    for (int i = n - 2; i >= 0; i--)
        for (int j = m - 2; j >= 0; j--)
            a[i][j] = (a[i + 1][j] + a[i][j + 1] + a[i][j]) % 1000;
#pragma endscop
}

void against_each_other(int n, int m, int a[static const restrict n][m]) {
#pragma scop
    for (int i = n - 2; i >= 0; i--)
        for (int j = 1; j < m; j++)
            a[i][j] = (a[i + 1][j] + a[i][j - 1] + a[i + 1][j - 1]) % 1000;
#pragma endscop
}

void every_other(int n, int m, int a[static const restrict n][m]) {
#pragma scop
    for (unsigned i = 2; (int)i < n; i += 2)
        for (long j = 3; j < m; j += 3)
            a[i][j] = (a[i - 2][j] + a[i][j - 3] + a[i][j]) % 1000;
#pragma endscop
}

void banded(int n, int a[static const restrict n][n]) {
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = i > 4 ? i - 4 : 1; j < n && j <= i + 4; j++)
            a[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i - 1][j - 1]) % 1000;
#pragma endscop
}

void triangle(int n, int a[static const restrict n][n]) {
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = 1; j <= i; j++)
            if (j < i)
                a[i][j] = (a[i - 1][j] + a[i][j - 1]) % 1000;
            else
                a[i][j] = a[i][j - 1] + 1;
#pragma endscop
}

void chain_of_products(int n, const int p[static const restrict n + 1], int c[static const restrict n][n]) {
    for (int i = 0; i < n; i++)
        c[i][i] = 0;
    for (int l = 1; l < n; l++)
        for (int i = 0; i < n - l; i++) {
            __pencil_reduction_var_init(&c[i][i + l], far_away);
            for (int k = i; k < i + l; k++)
                __pencil_reduction(&c[i][i + l], c[i][k] + c[k + 1][i + l] + p[i] % 9 * (p[k + 1] % 9), smaller);
        }
}

void folding(int n, const int s[static const restrict n], int t[static const restrict n][n]) {
#pragma scop
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            t[i][j] = max(t[i][j], t[i][j - 1]);
            if (i + 1 < n)
                t[i][j] = max(t[i][j], t[i + 1][j]);
            if (i + 1 < n && i < j - 1)
                t[i][j] = max(t[i][j], t[i + 1][j - 1] + (s[i] % 4 + s[j] % 4 == 3));
            for (int k = i + 1; k < j; k++)
                t[i][j] = max(t[i][j], t[i][k] + t[k + 1][j]);
        }
#pragma endscop
}

void elimination(int n, unsigned a[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[k][j];
            a[i][j] *= a[j][j] | 1;
        }
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++)
                a[i][j] -= a[i][k] * a[k][j];
    }
#pragma endscop
}

void elimination_of_columns(int n, unsigned a[static const restrict n][n]) {
    int i, j, k;
#pragma scop
    for (k = 0; k < n; k++) {
        for (i = k + 1; i < n; i++)
            a[i][k] *= a[k][k] | 1;
        for (i = k + 1; i < n; i++)
            for (j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
    }
#pragma endscop
}

void elimination_with_sums(int n, int a[static const restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int s;
            __pencil_reduction_var_init(&s, zero);
            for (int k = 0; k < (i < j ? i : j); k++)
                __pencil_reduction(&s, a[i][k] % 10 * (a[k][j] % 10), add);
            a[i][j] = (a[i][j] - s) % 1000;
        }
}

void factor(int n, unsigned a[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[j][k];
            a[i][j] *= a[j][j] | 1;
        }
        for (int k = 0; k < i; k++)
            a[i][i] -= a[i][k] * a[i][k];
        a[i][i] ^= 5;
    }
#pragma endscop
}

void forward(int n, const unsigned l[static const restrict n][n], const unsigned b[static const restrict n],
             unsigned x[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++)
            x[i] -= l[i][j] * x[j];
        x[i] *= l[i][i] | 1;
    }
#pragma endscop
}

void back(int n, const unsigned u[static const restrict n][n], unsigned x[static const restrict n]) {
#pragma scop
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= u[i][j] * x[j];
        x[i] = x[i] * (u[i][i] | 1);
    }
#pragma endscop
}

void several_right_hand_sides(int n, int m, const unsigned l[static const restrict n][n],
                              unsigned x[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int r = 0; r < m; r++) {
            for (int j = 0; j < i; j++)
                x[i][r] -= l[i][j] * x[j][r];
            x[i][r] *= l[i][i] | 1;
        }
#pragma endscop
}

void shortest_paths(int n, int d[static const restrict n][n]) {
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (d[i][k] % 1000 + d[k][j] % 1000 < d[i][j])
                    d[i][j] = d[i][k] % 1000 + d[k][j] % 1000;
#pragma endscop
}

void few_columns(int n, int a[static const restrict n][4]) {
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = 1; j < 4; j++)
            a[i][j] = (a[i - 1][j] + a[i][j - 1]) % 1000;
#pragma endscop
}

// Kernels that run in one iteration of the host's loop at different values: each has a constant of its own.
void front_of_two(int n, int m, unsigned U[static const restrict n][m])
{
#pragma scop
    // Else a copy of the old values would do.
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            U[i][j] = U[i][j] / 2;
    for (int i = 2; i < n - 2; i++)
        for (int j = 2; j < m - 2; j += 2) {
            if (i != j)
                U[i][j] = U[i - 2][j + 2] % 100 + U[i][j + 2] % 100 + 3;
            else
                U[i][j] = U[i][j] % 50;
        }
#pragma endscop
}
