/* What one thread of a row stores is told by a scalar that all of them change behind it. */
// sizes: n=0,5,300
#include <math.h>
#include <pencil.h>

void history(int n, double x[static const restrict n], double seen[static const restrict 8],
             int count[static const restrict 1])
{
#pragma scop
    double err = 0.0;
    for (int i = 0; i < n; i++)
        err = fmax(err, fabs(x[i]));
    seen[count[0] & 7] = err;
    count[0] = count[0] + 1;
    for (int i = 0; i < n; i++)
        x[i] = 0.5 * x[i] + err;
#pragma endscop
}

void moved_on(int n, double x[static const restrict n], double seen[static const restrict 8],
              int count[static const restrict 1], double last[static const restrict 1])
{
#pragma scop
    last[0] = 0.0;
    for (int i = 0; i < n; i++)
        last[0] += x[i];
    int at = count[0];
    seen[at & 7] = last[0];
    at = at + 1;
    last[0] = last[0] + at;
    seen[at & 7] = last[0];
    at = at * 2;
    count[0] = at;
    for (int i = 0; i < n; i++)
        x[i] = 0.5 * x[i] + last[0];
    last[0] = at;
#pragma endscop
}
