#include <pencil.h>

void bicg(int m, int n, const double A[static const restrict n][m], double s[static const restrict m],
          double q[static const restrict n], const double p[static const restrict m],
          const double r[static const restrict n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        s[i] = 0;
    for (int i = 0; i < n; i++) {
        double t;
        t = 0.0;
        for (int j = 0; j < m; j++) {
            s[j] = s[j] + r[i] * A[i][j];
            t = t + A[i][j] * p[j];
        }
        q[i] = t;
    }
#pragma endscop
}
