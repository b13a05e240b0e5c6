// Products of which each point has reduced points of its own: triangles and what people write with them.
// sizes: n=0,1,31,33 m=1,33 h=2
#include <limits.h>
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }
static void unreachable(int *v) { *v = INT_MAX / 2; }
static int shorter(int a, int b) { return a < b ? a : b; }

// A lower triangular matrix times another one.
void lower(int n, int m, const float a[static const restrict n][n], const float b[static const restrict n][m],
           float c[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            __pencil_reduction_var_init(&c[i][j], zero);
            for (int k = 0; k <= i; k++)
                __pencil_reduction(&c[i][j], a[i][k] * b[k][j], add);
        }
#pragma endscop
}

// The transpose of it without the diagonal: a sum in the order of the source, with what follows.
void upper(int n, int m, const float a[static const restrict n][n], const float b[static const restrict n][m],
           float c[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0.0f;
            for (int k = i + 1; k < n; k++)
                s += a[k][i] * b[k][j];
            c[i][j] = 0.5f * c[i][j] + s;
        }
#pragma endscop
}

// Columns of the triangle, which are added in place.
void in_place(int n, int m, const float a[static const restrict n][n], const float b[static const restrict n][m],
              float c[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < i; k++)
                c[i][j] += a[i][k] * b[k][j];
#pragma endscop
}

// Ways by way of earlier places alone: a condition in the place of a bound, min and +.
void earlier(int n, int m, const int a[static const restrict n][n], const int b[static const restrict n][m],
             int c[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            __pencil_reduction_var_init(&c[i][j], unreachable);
            for (int k = 0; k < n; k++)
                if (k < i)
                    __pencil_reduction(&c[i][j], a[i][k] + b[k][j], shorter);
        }
#pragma endscop
}

// Attention to what came before, for several heads.
void causal(int h, int n, int m, const float p[static const restrict h][n][n], const float v[static const restrict h][n][m],
            float o[static const restrict h][n][m]) {
#pragma scop
    for (int x = 0; x < h; x++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                float s;
                __pencil_reduction_var_init(&s, zero);
                for (int k = 0; k <= i; k++)
                    __pencil_reduction(&s, p[x][i][k] * v[x][k][j], add);
                o[x][i][j] = s;
            }
#pragma endscop
}

// Places apart, and an element that uses where it is.
void apart(int n, int m, const float a[static const restrict 2 * n][2 * n], const float b[static const restrict 2 * n][m],
           float c[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 2 * i; k < 2 * n - 1; k++)
                c[i][j] += (a[i + 1][k + 1] - i) * b[k][j] + k;
#pragma endscop
}
