/* Products of small matrices of each point, in arrays of its own, and a local array that loops in a short one walk over. */
#include <pencil.h>

void predicted(int n, int P[static const restrict n][6][6], const int F[static const restrict 6][6]) {
#pragma scop
    for (int k = 0; k < n; k++) {
        int FP[6][6], N[6][6];
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                FP[i][j] = 0;
                for (int l = 0; l < 6; l++) FP[i][j] ^= F[i][l] + P[k][l][j];
            }
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                N[i][j] = 0;
                for (int l = 0; l < 6; l++) N[i][j] = N[i][j] / 2 + (FP[i][l] & F[j][l]);
            }
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) P[k][i][j] = N[i][j];
    }
#pragma endscop
}

void larger(int n, float P[static const restrict n][20][20], const float F[static const restrict 20][20]) {
#pragma scop
    for (int k = 0; k < n; k++) {
        float N[20][20];
        for (int i = 0; i < 20; i++)
            for (int j = 0; j < 20; j++) {
                N[i][j] = 1;
                for (int l = 0; l < 20; l++) N[i][j] += F[i][l] * P[k][l][j];
            }
        for (int i = 0; i < 20; i++)
            for (int j = 0; j < 20; j++) P[k][i][j] = N[i][j];
    }
#pragma endscop
}

void levinson(int n, double a[static const restrict n][11], const double r[static const restrict n][12]) {
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 1; i <= 10; i++) {
            double tmp[11];
            for (int j = 1; j < i; j++) tmp[j] = a[k][j] + r[k][i] * a[k][i - j];
            for (int j = 1; j < i; j++) a[k][j] = tmp[j];
            a[k][i] = r[k][i + 1];
        }
#pragma endscop
}
// sizes: n=0,1,33
