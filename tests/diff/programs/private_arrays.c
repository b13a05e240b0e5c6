// Arrays that every iteration of a loop overwrites before it reads them, and such as only look like them.
// sizes: n=0,1,2,31,33 m=0,1,2,31,33
#include <pencil.h>

static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }

void local_rows(int n, int m, const int a[static const restrict n][m], int b[static const restrict n][m])
{
#pragma scop
    int row[m];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            row[j] = a[i][j] * 2;
        for (int j = 0; j < m; j++)
            b[i][j] = row[m - 1 - j] + row[0];
    }
#pragma endscop
}

void callers_row(int n, int m, const int a[static const restrict n][m], int b[static const restrict n][m],
                 int row[static const restrict m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            row[j] = a[i][j] ^ i;
        for (int j = 0; j < m; j++)
            b[i][j] = row[m - 1 - j] + row[0];
    }
#pragma endscop
}

void window(int n, int m, const int a[static const restrict n], int b[static const restrict n],
            int w[static const restrict 3])
{
#pragma scop
    for (int i = 1; i < n - 1; i++) {
        for (int k = 0; k < 3; k++)
            w[k] = a[i + k - 1];
        for (int k = 0; k < 3; k++)
            w[k] = w[k] * 5 + k;
        b[i] = w[0] + (w[1] ^ w[2]);
    }
#pragma endscop
}

// The scratch of one loop is that of the next, and the last values are used behind both.
void twice(int n, int m, const int a[static const restrict n][m], int b[static const restrict n][m],
           int o[static const restrict m])
{
#pragma scop
    int t[m];
    for (int j = 0; j < m; j++)
        t[j] = j;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            t[j] = a[i][j] + 1;
        for (int j = 1; j < m; j++)
            b[i][j] = t[j - 1] * 3;
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 0; j < m; j++)
            t[m - 1 - j] = b[i][j] - i;
        for (int j = 0; j < m; j++)
            b[i][j] = t[j] ^ 7;
    }
    for (int j = 0; j < m; j++)
        o[j] = t[j];
#pragma endscop
}

// As in a product of a tensor with a matrix: sums of each iteration.
void tensor(int n, int m, int A[static const restrict n][n][m], const int C[static const restrict m][m],
            int sum[static const restrict m])
{
#pragma scop
    for (int r = 0; r < n; r++)
        for (int q = 0; q < n; q++) {
            for (int p = 0; p < m; p++) {
                sum[p] = 0;
                for (int s = 0; s < m; s++)
                    sum[p] += A[r][q][s] * C[s][p];
            }
            for (int p = 0; p < m; p++)
                A[r][q][p] = sum[p];
        }
#pragma endscop
}

void reduced(int n, int m, const int a[static const restrict n][m], int o[static const restrict n])
{
#pragma scop
    int part[4];
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++)
            __pencil_reduction_var_init(&part[k], zero);
        for (int k = 0; k < 4; k++)
            for (int j = 0; j < m; j++)
                __pencil_reduction(&part[k], a[i][j] >> k, add);
        o[i] = part[0] * 3 + part[1] - part[2] * part[3];
    }
#pragma endscop
}

// Inside of a loop that is sequential for another reason.
void rounds(int n, int m, int a[static const restrict n][m])
{
#pragma scop
    int row[m];
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < m; j++)
                row[j] = a[i][j] + t;
            for (int j = 0; j < m; j++)
                a[i][j] = row[m - 1 - j] * 3;
        }
#pragma endscop
}

// None of these: a part is not overwritten, it is read before, or under a condition, or by the next iteration.
void partly(int n, int m, const int a[static const restrict n][m], int b[static const restrict n][m],
            int row[static const restrict m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 1; j < m; j++)
            row[j] = a[i][j] + i;
        for (int j = 1; j < m; j++)
            b[i][j] = row[m - j];
    }
#pragma endscop
}

void before(int n, int m, const int a[static const restrict n][m], int b[static const restrict n][m])
{
#pragma scop
    int row[m];
    for (int j = 0; j < m; j++)
        row[j] = j;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            b[i][j] = row[m - 1 - j];
            row[j] = a[i][j];
        }
#pragma endscop
}

void sometimes(int n, int m, const int a[static const restrict n][m], int b[static const restrict n][m])
{
#pragma scop
    int row[m];
    for (int j = 0; j < m; j++)
        row[j] = j;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            if (a[i][j] & 1)
                row[j] = a[i][j];
        for (int j = 0; j < m; j++)
            b[i][j] = row[m - 1 - j];
    }
#pragma endscop
}

void triangle(int n, int m, const int a[static const restrict n][n], int b[static const restrict n][n],
              int row[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            row[j] = a[i][j] + 1;
        for (int j = 0; j <= i; j++)
            b[i][j] = row[i - j];
    }
#pragma endscop
}
