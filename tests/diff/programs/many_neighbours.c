// Stencils of many points: all neighbours of a point are one set for the dependences.
// sizes: t=0,1,2 n=0,1,2,3,6,31
#include <pencil.h>

void cube(int t, int n, double a[static const restrict n][n][n], double b[static const restrict n][n][n])
{
#pragma scop
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    b[i][j][k] = (
                        a[i - 1][j - 1][k - 1] + a[i - 1][j - 1][k] + a[i - 1][j - 1][k + 1] + a[i - 1][j][k - 1]
                        + a[i - 1][j][k] + a[i - 1][j][k + 1] + a[i - 1][j + 1][k - 1] + a[i - 1][j + 1][k]
                        + a[i - 1][j + 1][k + 1] + a[i][j - 1][k - 1] + a[i][j - 1][k] + a[i][j - 1][k + 1]
                        + a[i][j][k - 1] + a[i][j][k] + a[i][j][k + 1] + a[i][j + 1][k - 1] + a[i][j + 1][k]
                        + a[i][j + 1][k + 1] + a[i + 1][j - 1][k - 1] + a[i + 1][j - 1][k] + a[i + 1][j - 1][k + 1]
                        + a[i + 1][j][k - 1] + a[i + 1][j][k] + a[i + 1][j][k + 1] + a[i + 1][j + 1][k - 1]
                        + a[i + 1][j + 1][k] + a[i + 1][j + 1][k + 1]) / 27;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    a[i][j][k] = (
                        b[i - 1][j - 1][k - 1] + b[i - 1][j - 1][k] + b[i - 1][j - 1][k + 1] + b[i - 1][j][k - 1]
                        + b[i - 1][j][k] + b[i - 1][j][k + 1] + b[i - 1][j + 1][k - 1] + b[i - 1][j + 1][k]
                        + b[i - 1][j + 1][k + 1] + b[i][j - 1][k - 1] + b[i][j - 1][k] + b[i][j - 1][k + 1]
                        + b[i][j][k - 1] + b[i][j][k] + b[i][j][k + 1] + b[i][j + 1][k - 1] + b[i][j + 1][k]
                        + b[i][j + 1][k + 1] + b[i + 1][j - 1][k - 1] + b[i + 1][j - 1][k] + b[i + 1][j - 1][k + 1]
                        + b[i + 1][j][k - 1] + b[i + 1][j][k] + b[i + 1][j][k + 1] + b[i + 1][j + 1][k - 1]
                        + b[i + 1][j + 1][k] + b[i + 1][j + 1][k + 1]) / 27;
    }
#pragma endscop
}

void in_place(int t, int n, float a[static const restrict n][n][n])
{
#pragma scop
    for (int s = 0; s < t; s++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    a[i][j][k] = (
                        a[i - 1][j - 1][k - 1] + a[i - 1][j - 1][k] + a[i - 1][j - 1][k + 1] + a[i - 1][j][k - 1]
                        + a[i - 1][j][k] + a[i - 1][j][k + 1] + a[i - 1][j + 1][k - 1] + a[i - 1][j + 1][k]
                        + a[i - 1][j + 1][k + 1] + a[i][j - 1][k - 1] + a[i][j - 1][k] + a[i][j - 1][k + 1]
                        + a[i][j][k - 1] + a[i][j][k] + a[i][j][k + 1] + a[i][j + 1][k - 1] + a[i][j + 1][k]
                        + a[i][j + 1][k + 1] + a[i + 1][j - 1][k - 1] + a[i + 1][j - 1][k] + a[i + 1][j - 1][k + 1]
                        + a[i + 1][j][k - 1] + a[i + 1][j][k] + a[i + 1][j][k + 1] + a[i + 1][j + 1][k - 1]
                        + a[i + 1][j + 1][k] + a[i + 1][j + 1][k + 1]) * 0.037f;
#pragma endscop
}

void holes(int n, int a[static const restrict n], int b[static const restrict n])
{
#pragma scop
    for (int i = 9; i < n - 9; i++)
        b[i] = a[i - 9] + a[i - 8] + a[i - 6] + a[i - 5] + a[i - 3] + a[i - 2] + a[i] + a[i + 1] + a[i + 3] + a[i + 4]
            + a[i + 6] + a[i + 7] + a[i + 9];
    for (int i = 9; i < n - 9; i++)
        a[i] = b[i] ^ i;
    for (int i = 9; i < n - 9; i++)
        b[i] += a[i - 9] - a[i - 7] + a[i - 5] - a[i - 4] + a[i - 3] - a[i - 2] + a[i - 1] - a[i + 1] + a[i + 2] - a[i + 4]
            + a[i + 5] - a[i + 7] + a[i + 9];
#pragma endscop
}
