// sizes: n=0,1,2,5,33 m=0,1,3,35
// Loops of which either may be in order, and nests that may be one: lines of memory decide.
#include <pencil.h>

/* the column of `a` goes along i: j is in order, and i is dealt out */
void either(int n, int m, unsigned a[static const restrict n][m])
{
#pragma scop
    for (int i = 1; i < m; i++)
        for (int j = 2; j < n; j++)
            a[j][i] = a[j - 1][i - 1] + a[j - 2][i - 1];
#pragma endscop
}

/* a thread has a diagonal, and goes along it by j, so that its neighbours are in the same row */
void diagonal(int n, int m, unsigned a[static const restrict n][m])
{
#pragma scop
    for (int i = 1; i < m; i++)
        for (int j = 1; j < n; j++)
            a[j][i] = a[j - 1][i - 1] * 3 + 1;
#pragma endscop
}

/* the same, upwards */
void upwards(int n, int m, unsigned a[static const restrict n][m])
{
#pragma scop
    for (int i = 1; i < m; i++)
        for (int j = n - 2; j >= 0; j--)
            a[j][i] = a[j + 1][i - 1] * 3 + 1;
#pragma endscop
}

/* two statements and a scalar in front of the loops */
void both(int n, int m, unsigned a[static const restrict n][m], unsigned b[static const restrict n][m])
{
#pragma scop
    unsigned t;
    for (int i = 1; i < m; i++)
        for (int j = 2; j < n; j++) {
            t = b[j - 1][i - 1] + a[j - 2][i - 1];
            a[j][i] = t;
            b[j][i] = t * 5 + b[j - 2][i - 1];
        }
#pragma endscop
}

/* three loops: the innermost of the source runs along memory, and is in order */
void planes(int n, unsigned a[static const restrict n][n][n])
{
#pragma scop
    for (int k = 1; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 2; j < n; j++)
                a[i][j][k] = a[i][j - 1][k - 1] - a[i][j - 2][k - 1];
#pragma endscop
}

/* two nests that share s, one along rows and one down columns */
void apart(int n, int x[static const restrict n][n], const int u[static const restrict n][n],
           int y[static const restrict n][n], const int v[static const restrict n][n],
           const int s[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[i][j] = u[i][j] * s[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[j][i] = v[j][i] - s[j];
#pragma endscop
}

/* the same of sums */
void sums(int n, const unsigned u[static const restrict n][n], const unsigned v[static const restrict n][n],
          unsigned o[static const restrict 2])
{
#pragma scop
    unsigned s = 0, t = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s += u[i][j] * (i + j);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            t += v[j][i] * (i - j);
    o[0] = s;
    o[1] = t;
#pragma endscop
}
