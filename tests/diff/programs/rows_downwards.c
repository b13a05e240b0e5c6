// Rows of lengths that data say in a loop that goes downwards, which stays on the host: the backward half of a sweep.
// sizes: n=0,1,40 m=300
#include <pencil.h>

/* the length in a variable of the iteration, the sum begun with an element */
void begun(int n, const int length[static const restrict n], const double a[static const restrict n][27],
           double x[static const restrict n]) {
    for (int i = n - 1; i >= 0; i--) {
        const int m = length[i];
        double sum = x[i];
#pragma pencil independent reduction(+: sum)
        for (int j = 0; j < m; j++)
            sum += a[i][j] * x[j];
        x[i] = sum;
    }
}

/* read where the loop is, and which elements it reads too */
void sparse(int n, const int length[static const restrict n], const int column[static const restrict n][27],
            const double a[static const restrict n][27], double x[static const restrict n]) {
    for (int i = n - 1; i >= 0; i--) {
        double sum = 0;
#pragma pencil independent reduction(+: sum)
        for (int j = 0; j < length[i]; j++)
            sum += a[i][j] * x[column[i][j]];
        x[i] = x[i] - 0.01 * sum;
    }
}

/* from the end of the one before, two at a time */
void by_ends(int n, int m, const int start[static const restrict n + 1], const float a[static const restrict m],
             float x[static const restrict n]) {
    for (int i = n - 1; i >= 0; i -= 2) {
        float sum = 0;
#pragma pencil independent reduction(+: sum)
        for (int j = start[i]; j < start[i + 1]; j++)
            sum += a[j];
        x[i] = sum + (i + 2 < n ? x[i + 2] : 0);
    }
}
