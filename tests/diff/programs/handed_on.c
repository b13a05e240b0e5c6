// What the last iteration of a loop leaves in memory of the caller's is what was there where it has written nothing.
#include <pencil.h>
void halves(int n, int m, const double D[static const restrict m], double E[static const restrict n])
{
#pragma scop
    __pencil_assume(n > 0);
    double t;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n / 2; k++) {
                t = D[i] * 0.5 + k;
                E[j] = t + t;
            }
#pragma endscop
}
void scalar(int n, int m, int h, const double D[static const restrict m][n], double E[static const restrict m][n], double s[static const restrict 1])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < h; k++) {
                s[0] = D[i][j] * 0.5 + k;
                E[i][j] = E[i][j] * 0.25 + s[0];
            }
#pragma endscop
}
void local(int n, int m, int h, const double D[static const restrict m][n], double E[static const restrict m][n], double s[static const restrict 1])
{
    double t = 3;
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < h; k++) {
                t = D[i][j] * 0.5 + k;
                E[i][j] = E[i][j] * 0.25 + t;
            }
        }
    s[0] = t;
#pragma endscop
}
void rows(int n, int m, int h, const double D[static const restrict m][n], double E[static const restrict m][n], double r[static const restrict n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        if (h > 2) {
            for (int j = 0; j < n; j++)
                r[j] = D[i][j] * 2;
            for (int j = 0; j < n; j++)
                E[i][j] = r[n - 1 - j] + r[j];
        }
#pragma endscop
}
void stepped(int n, int m, const double D[static const restrict m][n], double E[static const restrict m][n], double r[static const restrict n])
{
#pragma scop
    for (int i = 0; i < m; i += 3)
        for (int once = i; once < m - 3 && once < i + 1; once++) {
            for (int j = 0; j < n; j++)
                r[j] = D[i][j] * 2;
            for (int j = 0; j < n; j++)
                E[i][j] = r[n - 1 - j] + r[j];
        }
#pragma endscop
}
