// Loops that lie side by side in a kernel count in one variable: it has to hold the values of all of
// them, those of a loop that runs backwards and of one over an unsigned counter, too.
// sizes: n=0,1,33 m=0,1,9,40
#include <pencil.h>
void backwards(int n, int m, const double a[static const restrict n][m], double d[static const restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int r = m - 1; r >= 0; r--)
            for (int k = 4; k >= 0; k--)
                d[i][r] = d[i][r] * 0.25 + a[i][r] + k;
    for (unsigned i = 0; i < n; i++)
        for (unsigned r = 0; r < m; r++)
            for (unsigned k = 0; k < 7; k++)
                d[i][r] = d[i][r] * 0.75 + a[i][r] + (k - 1 > 5 ? 1.0 : 2.0);
#pragma endscop
}
void deeper(int n, const double a[static const restrict n], double d[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int r = 9; r > 2; r -= 3)
            d[i] = d[i] * 0.5 + r;
        for (unsigned char r = 0; r < 3; r++)
            for (unsigned short k = 0; k < 3; k++)
                d[i] = d[i] * 0.25 + a[i] + r - k;
    }
#pragma endscop
}
