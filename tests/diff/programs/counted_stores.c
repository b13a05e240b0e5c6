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
