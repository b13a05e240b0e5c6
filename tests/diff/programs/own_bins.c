// Rows whose values go to bins of their own, in loops of data-dependent length inside of others: a thread for each row.
// sizes: n=0,1,2,31,33
#include <pencil.h>

static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
static void none(double *v) { *v = 1; }
static double product(double a, double b) { return a * b; }

void clauses(int n, const int len[static const restrict n], const int a[static const restrict n][8],
             float hist[static const restrict n][16])
{
#pragma scop
    #pragma pencil independent
    for (int i = 0; i < n; ++i)
        #pragma pencil independent reduction(+: hist[i])
        for (int y = 0; y < (len[i] & 7); ++y)
            #pragma pencil independent reduction(+: hist[i])
            for (int x = 0; x < (len[i] & 7); ++x)
                hist[i][(a[i][y] + a[i][x]) & 15] += 0.5f;
#pragma endscop
}

void begun(int n, const int len[static const restrict n], const int a[static const restrict n][8],
           float hist[static const restrict n][4], float o[static const restrict n][4])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int b = 0; b < 4; b++)
            __pencil_reduction_var_init(&hist[i][b], zero);
        for (int y = 0; y < (len[i] & 7); y++)
            for (int x = 0; x < (a[i][y] & 7); x++)
                __pencil_reduction(&hist[i][(a[i][x] ^ y) & 3], 0.25f * a[i][x], add);
        for (int b = 0; b < 4; b++)
            o[i][b] = hist[i][b] + 1;
    }
#pragma endscop
}

void pairs(int n, const int len[static const restrict n], const int a[static const restrict n][2][8],
           double hist[static const restrict n][2][3])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) {
            for (int b = 0; b < 3; b++)
                __pencil_reduction_var_init(&hist[i][k][b], none);
            for (int y = 0; y < (len[i] & 7); y++) {
                int at = a[i][k][y] & 3;
                for (int x = 0; x < (len[i] & 3); x++)
                    if (at < 3)
                        __pencil_reduction(&hist[i][k][at], 1 + 1.0 / (1 + (a[i][k][x] & 3)), product);
            }
        }
#pragma endscop
}
