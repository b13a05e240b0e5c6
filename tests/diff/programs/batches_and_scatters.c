/* One loop is parallel already, and most are not: shortest paths of several graphs, transposed convolutions. */
// sizes: B=0,1,3 n=0,1,2,9,33 K=1,3 C=0,2
#include <pencil.h>

void paths(int B, int n, int d[static const restrict B][n][n])
{
#pragma scop
    for (int b = 0; b < B; b++)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    if ((d[b][i][k] & 1023) + (d[b][k][j] & 1023) < d[b][i][j])
                        d[b][i][j] = (d[b][i][k] & 1023) + (d[b][k][j] & 1023);
#pragma endscop
}

void transposed(int K, int C, int n, const int in[static const restrict C][n][n],
                const int w[static const restrict C][K][3][3], int out[static const restrict K][2 * n + 1][2 * n + 1])
{
#pragma scop
    for (int c = 0; c < C; c++)
        for (int k = 0; k < K; k++)
            for (int y = 0; y < n; y++)
                for (int x = 0; x < n; x++)
                    for (int r = 0; r < 3; r++)
                        for (int s = 0; s < 3; s++)
                            out[k][2 * y + r][2 * x + s] += in[c][y][x] * w[c][k][r][s];
#pragma endscop
}

void transposed_by_ones(int K, int C, int n, const int in[static const restrict C][n],
                        const int w[static const restrict C][K][3], int out[static const restrict K][n + 2])
{
#pragma scop
    for (int k = 0; k < K; k++)
        for (int c = 0; c < C; c++)
            for (int x = 0; x < n; x++)
                for (int s = 0; s < 3; s++)
                    out[k][x + s] = out[k][x + s] * 3 + in[c][x] * w[c][k][s];
#pragma endscop
}
