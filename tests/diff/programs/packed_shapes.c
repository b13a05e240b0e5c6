// Parts of every shape in one launch: rows, columns, triangles, bins, nests, what one thread does.
// sizes: n=0,1,37 m=0,3,2500 p=0,31 l=2 k=3
#include <pencil.h>

#define BINS 64

typedef struct {
    double first, second;
} Pair;

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }
static void least(Pair *v) {
    v->first = -1e30;
    v->second = 0;
}
static Pair larger(Pair a, Pair b) { return a.first < b.first || (a.first == b.first && b.second < a.second) ? b : a; }

// Rows, columns and all points of one matrix.
void margins(int n, int m, const int x[static const restrict n][m], int row[static const restrict n],
             int column[static const restrict m], int total[static const restrict 1]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        row[i] = 3;
        for (int j = 0; j < m; j++) row[i] += x[i][j];
    }
    for (int j = 0; j < m; j++) {
        column[j] = 1;
        for (int i = 0; i < n; i++) column[j] += x[i][j];
    }
    total[0] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) total[0] += x[i][j];
#pragma endscop
}

// Rows of two matrices, one with a factor for each row, which goes to some lanes and not to a chunk each.
void two_matrices(int n, int m, int p, const float x[static const restrict n][m], const float y[static const restrict p][m + 2],
                  const float factor[static const restrict p], float rx[static const restrict n],
                  float ry[static const restrict p]) {
    for (int i = 0; i < n; i++) {
        float sum;
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&sum, x[i][j], add);
        rx[i] = sum;
    }
    for (int i = 0; i < p; i++) {
        float scale = factor[i] * 0.5f, sum;
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 1; j <= m; j++) __pencil_reduction(&sum, y[i][j] * scale, add);
        ry[i] = sum;
    }
}

// Columns below an outer dimension, a triangle dealt out to teams, a pair of numbers for each column.
void deep(int n, int m, int p, int l, const int x[static const restrict n][m + n], const int z[static const restrict l][p][m],
          const float w[static const restrict p][n], int column[static const restrict l][m],
          int triangle[static const restrict 1], Pair best[static const restrict n]) {
    int sum = 0;
    for (int k = 0; k < l; k++)
        for (int j = 0; j < m; j++) {
            column[k][j] = 1;
#pragma pencil independent reduction(+ : column)
            for (int i = 0; i < p; i++) column[k][j] += z[k][i][j];
        }
#pragma pencil independent reduction(+ : sum)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m + i; j++) sum += x[i][j];
    triangle[0] = sum;
    for (int j = 0; j < n; j++) {
        __pencil_reduction_var_init(&best[j], least);
        for (int i = 0; i < p; i++) {
            Pair here = {w[i][j], i};
            __pencil_reduction(&best[j], here, larger);
        }
    }
}

// Bins of a known number, as many as there are columns, and nests of two and of three loops.
void bins(int n, int m, int l, const int x[static const restrict n][m], const int z[static const restrict l][n][m],
          int twice[static const restrict n][m], int more[static const restrict l][n][m],
          int known[static const restrict BINS], int given[static const restrict m], int sum[static const restrict 1]) {
    __pencil_assume(n < 1000);
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) twice[i][j] = x[i][j] * 2 + 1;
    for (int k = 0; k < l; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) more[k][i][j] = z[k][i][j] + 7;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) known[x[i][j] & (BINS - 1)]++;
    for (int k = 0; k < l; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) given[(unsigned)z[k][i][j] % m]++;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) sum[0] += twice[i][j];
#pragma endscop
}

// A recurrence in one thread beside a sum, and both again in each round of a loop on the host.
void rounds(int n, int m, int k, const int a[static const restrict m], int walk[static const restrict k][n],
            int sum[static const restrict k], int row[static const restrict n], int x[static const restrict n][m]) {
#pragma scop
    for (int t = 0; t < k; t++) {
        for (int i = 1; i < n; i++) walk[t][i] = walk[t][i - 1] * 3 + i;
        sum[t] = 0;
        for (int j = 0; j < m; j++) sum[t] += a[j] * t;
    }
    for (int t = 0; t < k; t++) {
        for (int i = 0; i < n; i++) {
            row[i] = row[i] ^ t;
            for (int j = 0; j < m; j++) row[i] += x[i][j];
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) x[i][j] = x[i][j] * 3 + row[i];
    }
#pragma endscop
}
