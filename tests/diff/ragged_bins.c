// Reductions into results that the data choose, in rows whose bounds are read from arrays (tests/diff/test_ragged.py).
#include <pencil.h>
typedef struct { float sum; int count; float v[3]; } cell;
static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }
static void none(cell *c) { c->sum = 0.0f; c->count = 0; for (int k = 0; k < 3; k++) c->v[k] = 0.0f; }
static cell join(cell a, cell b) {
    a.sum += b.sum;
    a.count += b.count;
    for (int k = 0; k < 3; k++) a.v[k] += b.v[k];
    return a;
}
static cell made(float x) { cell c; c.sum = x; c.count = 1; for (int k = 0; k < 3; k++) c.v[k] = x * (float)k; return c; }
// A histogram of all values in the rows, plain C.
void counts(int n, int m, int nnz, const int start[static const restrict n + 1], const int col[static const restrict nnz],
            int y[static const restrict m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++)
            y[col[k]] += k % 7;
#pragma endscop
}
// One histogram for each row.
void each(int n, int m, int nnz, const int start[static const restrict n + 1], const int col[static const restrict nnz],
          const float v[static const restrict nnz], float y[static const restrict n][m]) {
    for (int i = 0; i < n; i++)
        for (int b = 0; b < m; b++)
            __pencil_reduction_var_init(&y[i][b], zero);
    for (int i = 0; i < n; i++) {
        float scale = i % 2 ? 0.5f : 2.0f;
        for (int k = start[i]; k < start[i + 1]; k++)
            __pencil_reduction(&y[i][col[k]], v[k] * scale, add);
    }
}
// The transposed matrix times several vectors at once.
void several(int n, int m, int nnz, const int start[static const restrict n + 1], const int col[static const restrict nnz],
             const float v[static const restrict nnz], const float x[static const restrict n][5],
             float y[static const restrict m][5]) {
    for (int b = 0; b < m; b++)
        for (int c = 0; c < 5; c++)
            __pencil_reduction_var_init(&y[b][c], zero);
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++)
            for (int c = 0; c < 5; c++)
                __pencil_reduction(&y[col[k]][c], v[k] * x[i][c], add);
}
// Structs, two updates for a point, one of them on a condition; rows that an affine condition takes out.
void cells(int n, int m, int nnz, const int start[static const restrict n + 1], const int col[static const restrict nnz],
           const float v[static const restrict nnz], cell y[static const restrict m]) {
    for (int b = 0; b < m; b++)
        __pencil_reduction_var_init(&y[b], none);
    for (int i = 0; i < n; i++)
        if (i % 3 != 1)
            for (int k = start[i]; k < start[i + 1]; k++) {
                __pencil_reduction(&y[col[k]], made(v[k]), join);
                if (v[k] > 0.25f)
                    __pencil_reduction(&y[(col[k] + 1) % m], made(1.0f), join);
            }
}
// Rows of rows.
void twice(int n, int m, int nnz, const int start[static const restrict n + 1], const int col[static const restrict nnz],
           int y[static const restrict m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++)
            for (int l = start[col[k] % n]; l < start[col[k] % n + 1]; l++)
                y[col[l]] += 1;
#pragma endscop
}
// Lengths, not places: the first value is no data.
void lengths(int n, int m, int w, const int length[static const restrict n], const unsigned char a[static const restrict n][w],
             unsigned y[static const restrict 256]) {
#pragma scop
    for (int b = 0; b < 256; b++)
        y[b] = 0;
    for (int i = 0; i < n; i++)
        for (int k = 2; k < length[i]; k++)
            y[a[i][k]]++;
#pragma endscop
}
// A loop on the host around, the rows of which shrink.
void steps(int n, int m, int t, int nnz, const int start[static const restrict n + 1], const int col[static const restrict nnz],
           int x[static const restrict n], int y[static const restrict m]) {
#pragma scop
    for (int s = 0; s < t; s++) {
        for (int i = s; i < n; i++)
            for (int k = start[i]; k < start[i + 1]; k++)
                y[col[k]] += x[i];
        for (int i = 0; i < n; i++)
            x[i] = (x[i] * 5 + y[i % m]) & 1023;
    }
#pragma endscop
}
