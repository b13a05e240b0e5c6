/* Arrays of an iteration that a thread goes through in order: those of neighbouring threads stand side by side. */
#include <pencil.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* Thomas' algorithm down the columns and along the rows. */
void sweeps(int n, double u[static const restrict n][n], double v[static const restrict n][n], double r)
{
#pragma scop
    for (int i = 1; i < n - 1; i++) {
        double c[n], d[n];
        c[0] = 0;
        d[0] = 0;
        for (int j = 1; j < n - 1; j++) {
            double m = 0.25 * c[j - 1] + r;
            c[j] = m - 1;
            d[j] = u[i][j] + 0.5 * d[j - 1] * m;
        }
        for (int j = n - 2; j > 0; j--)
            v[i][j] = d[j] - 0.5 * c[j] * v[i][j + 1];
    }
    for (int j = 1; j < n - 1; j++) {
        double c[n], d[n];
        c[0] = 0;
        d[0] = 0;
        for (int i = 1; i < n - 1; i++) {
            c[i] = 0.25 * c[i - 1] + r;
            d[i] = v[i][j] + 0.5 * d[i - 1] * c[i];
        }
        for (int i = n - 2; i > 0; i--)
            u[i][j] = d[i] - 0.5 * c[i] * u[i + 1][j];
    }
#pragma endscop
}

/* A table's row for each pair; it is begun by a thread for each element. */
void pairs_aligned(int pairs, int la, int lb, const int a[static const restrict pairs][la],
                   const int b[static const restrict pairs][lb], int score[static const restrict pairs])
{
#pragma scop
    for (int p = 0; p < pairs; p++) {
        int H[lb + 1];
        for (int j = 0; j <= lb; j++)
            H[j] = -2 * j;
        for (int i = 1; i <= la; i++) {
            int diag = H[0];
            H[0] = -2 * i;
            for (int j = 1; j <= lb; j++) {
                int up = H[j], best = diag + ((a[p][i - 1] & 3) == (b[p][j - 1] & 3) ? 1 : -1);
                best = MAX(best, up - 2);
                best = MAX(best, H[j - 1] - 2);
                H[j] = best;
                diag = up;
            }
        }
        score[p] = H[lb];
    }
#pragma endscop
}

/* In two loops, one of which begins below zero; the array has two dimensions. */
void planes_of_threads(int n, int m, int k, const int x[static const restrict n][m], int y[static const restrict n][m])
{
#pragma scop
    for (int i = -2; i < n - 2; i++)
        for (int j = 0; j < m; j++) {
            int t[2][k + 2];
            t[0][0] = x[i + 2][j];
            t[1][0] = 1;
            for (int l = 1; l < k + 2; l++) {
                t[0][l] = t[0][l - 1] * 3 + t[1][l - 1];
                t[1][l] = t[1][l - 1] ^ t[0][l];
            }
            y[i + 2][j] = t[0][k + 1] + t[1][k];
        }
#pragma endscop
}

/* What a helper is given is a row of one iteration. */
static void powers(int n, int base, int t[static const restrict n])
{
    for (int k = 0; k < n; k++)
        t[k] = k == 0 ? 1 : t[k - 1] * base;
}
void given_to_helpers(int n, int m, const int x[static const restrict n], int y[static const restrict n])
{
    __pencil_assume(m >= 1);
#pragma scop
    for (int i = 0; i < n; i++) {
        int t[m];
        powers(m, x[i], t);
        int s = 0;
        for (int k = 0; k < m; k++)
            s = s * 5 + t[k];
        y[i] = s;
    }
#pragma endscop
}

/* Structs, in a loop over time that the host does. */
struct node {
    int left, right;
};
void nodes(int steps, int n, int m, int y[static const restrict n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++) {
            struct node path[m + 1];
            path[0].left = y[i];
            path[0].right = t;
            for (int k = 1; k <= m; k++) {
                path[k].left = path[k - 1].right * 3;
                path[k].right = path[k - 1].left + k;
            }
            y[i] = path[m].left ^ path[m].right;
        }
#pragma endscop
}

/* What is sorted is filled by loops over the window. */
void median(int h, int w, const unsigned char in[static const restrict h][w],
            unsigned char out[static const restrict h][w])
{
#pragma scop
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            unsigned char v[9];
            for (int j = 0; j < 3; j++)
                for (int i = 0; i < 3; i++)
                    v[3 * j + i] = in[y + j - 1][x + i - 1];
            for (int i = 1; i < 9; i++) {
                unsigned char t = v[i];
                int j = i - 1;
                while (j >= 0 && v[j] > t) {
                    v[j + 1] = v[j];
                    j--;
                }
                v[j + 1] = t;
            }
            out[y][x] = v[4];
        }
#pragma endscop
}

/* Parallel loops use them: a thread for each element, and none for all of them. */
void weights_of_rows(int n, int m, const int x[static const restrict n][m], int y[static const restrict n][m])
{
    __pencil_assume(m >= 1);
#pragma scop
    for (int i = 0; i < n; i++) {
        int q[4];
        for (int k = 0; k < 4; k++)
            q[k] = x[i][0] * k + i;
        for (int j = 0; j < m; j++)
            y[i][j] = x[i][j] * q[0] + q[3] - q[j & 1];
    }
#pragma endscop
}

/* Filled twice, by a sum too, and gone through in order in between. */
void filled_again(int n, int m, const int x[static const restrict n][m], int y[static const restrict n])
{
    __pencil_assume(m >= 8);
#pragma scop
    for (int i = 0; i < n; i++) {
        int q[8], s = 1;
        for (int k = 0; k < 8; k++)
            q[k] = x[i][k];
        for (int k = 1; k < 8; k++)
            q[k] = q[k] * 3 + q[k - 1];
        for (int k = 0; k < 8; k++)
            s = s * 7 + q[k];
        for (int k = 0; k < 8; k++)
            q[k] = x[i][7 - k] ^ s;
        for (int k = 1; k < 8; k++)
            q[k] -= q[k - 1];
        for (int j = 0; j < m; j++)
            s += x[i][j] * j;
        y[i] = s + q[7];
    }
#pragma endscop
}
