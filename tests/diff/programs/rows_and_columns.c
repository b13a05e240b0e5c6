/* What rows give goes into sums over all rows, one for each column: the backward passes of norms, moments of features. */
#include <pencil.h>

/* The weights' gradients take a scalar of the iteration, which the row's own results take too. */
void norm_backward(int B, int T, int C, float dinp[static const restrict B][T][C],
                   float dweight[static const restrict C], float dbias[static const restrict C],
                   const float dout[static const restrict B][T][C], const float inp[static const restrict B][T][C],
                   const float weight[static const restrict C], const float mean[static const restrict B][T],
                   const float rstd[static const restrict B][T])
{
    __pencil_assume(C >= 1);
#pragma scop
#pragma pencil reduction(+: dweight, dbias)
    for (int b = 0; b < B; b++)
#pragma pencil reduction(+: dweight, dbias)
        for (int t = 0; t < T; t++) {
            float dm = 0, dn = 0;
#pragma pencil reduction(+: dm, dn)
            for (int i = 0; i < C; i++) {
                float norm = (inp[b][t][i] - mean[b][t]) * rstd[b][t];
                float dnorm = weight[i] * dout[b][t][i];
                dm += dnorm;
                dn += dnorm * norm;
            }
            for (int i = 0; i < C; i++) {
                float norm = (inp[b][t][i] - mean[b][t]) * rstd[b][t];
                float dnorm = weight[i] * dout[b][t][i];
                dbias[i] += dout[b][t][i];
                dweight[i] += norm * dout[b][t][i];
                float dval = dnorm - dm / C - norm * (dn / C);
                dinp[b][t][i] += dval * rstd[b][t];
            }
        }
#pragma endscop
}

/* The sum of a row goes into the sums of the columns; nothing else is made of the row. */
void of_rows(int n, int m, const int x[static const restrict n][m], int s[static const restrict m])
{
#pragma scop
    for (int r = 0; r < n; r++) {
        int most = 0;
        for (int i = 0; i < m; i++)
            most = x[r][i] > most ? x[r][i] : most;
        for (int i = 0; i < m; i++)
            s[i] += most - x[r][i];
    }
#pragma endscop
}

/* In a loop over time, with rows that are written in place. */
void in_rounds(int steps, int n, int m, unsigned x[static const restrict n][m], unsigned s[static const restrict m])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int r = 0; r < n; r++) {
            unsigned mean = 0;
            for (int i = 0; i < m; i++)
                mean += x[r][i];
            for (int i = 0; i < m; i++) {
                unsigned d = x[r][i] - mean;
                s[i] += d * d;
                x[r][i] = d ^ t;
            }
        }
#pragma endscop
}

/* A value that takes much, and one by a function of the file, are handed on. */
static int far(int a, int b)
{
    int d = a;
    for (int k = 0; k < 3; k++)
        d = d * 31 + b;
    return d;
}
void dear(int n, int m, const int x[static const restrict n][m], int y[static const restrict n][m],
          int s[static const restrict m])
{
#pragma scop
    for (int r = 0; r < n; r++) {
        int sum = 0;
        for (int i = 0; i < m; i++)
            sum += x[r][i];
        for (int i = 0; i < m; i++) {
            int d = far(x[r][i], sum);
            s[i] ^= d;
            y[r][i] = d;
        }
    }
#pragma endscop
}

/* One result for all rows stays with what the rows give; results that data choose do too. */
void few_results(int n, int m, const int x[static const restrict n][m], int total[static const restrict 1],
                 int bins[static const restrict 16][m])
{
#pragma scop
    for (int r = 0; r < n; r++) {
        int sum = 0;
        for (int i = 0; i < m; i++)
            sum += x[r][i];
        total[0] += sum;
        for (int i = 0; i < m; i++)
            bins[sum & 15][i] += x[r][i];
    }
#pragma endscop
}
