// Products of which both the results and what is added for each are triangles.
// sizes: n=0,1,31,33 m=1,33
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

// A triangle times a triangle is one.
void both(int n, const float a[static const restrict n][n], const float b[static const restrict n][n],
          float c[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            __pencil_reduction_var_init(&c[i][j], zero);
            for (int k = j; k <= i; k++)
                __pencil_reduction(&c[i][j], a[i][k] * b[k][j], add);
        }
#pragma endscop
}

// Half of the results have no values that are added, and are there all the same.
void half(int n, const float a[static const restrict n][n], const float b[static const restrict n][n],
          float c[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&c[i][j], zero);
            for (int k = 0; k <= i; k++)
                if (j <= i)
                    __pencil_reduction(&c[i][j], a[i][k] * b[j][k], add);
        }
#pragma endscop
}

// The same of rows that are all as long: scores of what came before, and a value for the others.
void scores(int n, int m, const float q[static const restrict n][m], const float k[static const restrict n][m],
            float s[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&s[i][j], zero);
            for (int x = 0; x < m; x++)
                if (j <= i)
                    __pencil_reduction(&s[i][j], q[i][x] * k[j][x], add);
        }
#pragma endscop
}

// In the order of the source.
void in_order(int n, int m, const float q[static const restrict n][m], const float k[static const restrict n][m],
              float s[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float t = -1.0f;
            for (int x = 0; x < m; x++)
                if (i < j)
                    t += q[i][x] * k[j][x];
            s[i][j] = t;
        }
#pragma endscop
}

// In memory, where others keep what they had, and what follows uses both.
void in_memory(int n, int m, const float q[static const restrict n][m], const float k[static const restrict n][m],
               float s[static const restrict n][n], float d[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            for (int x = 0; x < m; x++)
                if (i < j)
                    s[i][j] += q[i][x] * k[j][x];
            d[i][j] = 2.0f * s[i][j];
        }
#pragma endscop
}

// Others have the value that the sum begins with.
void masked(int n, int m, const float q[static const restrict n][m], const float k[static const restrict n][m],
            float s[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float t = -1.0f;
            for (int x = 0; x < m; x++)
                if (j <= i)
                    t += q[i][x] * k[j][x];
            s[i][j] = t;
        }
#pragma endscop
}
