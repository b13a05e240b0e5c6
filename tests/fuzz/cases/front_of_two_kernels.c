// seed 1210172
// Where kernels of a loop on the host run in one iteration at different values, each has a constant of its own.
#include <pencil.h>
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
