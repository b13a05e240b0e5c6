#include <stdio.h>
#include <string.h>
#include <pencil.h>
typedef struct { float re, im; } cplx;
enum mode { SLOW, FAST = 4 };
static const float weights[3] = {0.25f, 0.5f, 0.25f};
static int counter;
void host_fn(int n, int m, float A[n][m], const cplx z[static const restrict n], enum mode mode, unsigned char flag)
{
    float row[m];
    int hits = 0, i;
    counter++;
    memset(row, 0, sizeof row);
    printf("mode %d\n", mode);
#pragma scop
    for (i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            A[i][j] = z[i].re * weights[j % 3] + (mode == FAST) + flag;
    for (int j = 0; j < m; j++)
        row[j] = A[0][j] + A[n - 1][j];
    hits = n * m;
#pragma endscop
    printf("%d %g\n", hits, row[m - 1]);
    {
        float row[2] = {1, 2};
#pragma scop
        for (int k = 0; k < 2; k++)
            row[k] += hits;
#pragma endscop
        printf("%g\n", row[1]);
    }
#pragma scop
    for (int k = 0; k < m; k++)
        row[k] = row[k] * 2;
#pragma endscop
    printf("%g\n", row[1]);
}
int main(void)
{
    float A[3][4];
    cplx z[3] = { {1, 2}, {3, 4}, {5, 6} };
    host_fn(3, 4, A, z, FAST, 7);
    printf("%g %d\n", A[2][3], counter);
    return 0;
}
