/* Conditions on data around loops in a loop that waits: on what the loops change, with `else`, with `continue`, on a sum
 * and on more than one thing, one in another, beside statements that stand between the loops. */
#include <pencil.h>

typedef struct { int kind; float by; } Step;

void eliminated(int n, double A[restrict const static n][n], double b[restrict const static n]) {
#pragma scop
    for (int k = 0; k < n; k++) {
        if (A[k][k] == 0) continue;
        for (int i = k + 1; i < n; i++) {
            double f = A[i][k] / A[k][k];
            for (int j = k; j < n; j++) A[i][j] -= f * A[k][j];
            b[i] -= f * b[k];
        }
    }
#pragma endscop
}

void either(int steps, int n, const Step step[restrict const static steps], float a[restrict const static n],
            float b[restrict const static n]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        if (step[t].kind == 0) {
            for (int i = 0; i < n; i++) a[i] = b[i] * step[t].by + t;
        } else if (step[t].kind > 0) {
            for (int i = 0; i < n; i++) b[i] = a[n - 1 - i] + step[t].by;
        } else {
            for (int i = 0; i < n; i++) { float x = a[i]; a[i] = b[i]; b[i] = x; }
        }
    }
#pragma endscop
}

/* The condition is changed under it, by a loop and by what stands behind that. */
void halved(int steps, int n, int a[restrict const static n + 1], int count[restrict const static 1]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        if (a[0] > 0 && count[0] < 3 + t) {
            for (int i = 0; i <= n; i++) a[i] = a[i] / 2 - 1;
            count[0] += 2;
            for (int i = 1; i <= n; i++) a[i] += count[0];
        }
    }
#pragma endscop
}

void until_small(int steps, int n, int tol, int a[restrict const static n], int b[restrict const static n],
                 int worst[restrict const static 1]) {
#pragma scop
    worst[0] = 1000;
    for (int t = 0; t < steps; t++)
        if (worst[0] > tol) {
            int most = 0;
            for (int i = 1; i < n - 1; i++) b[i] = (a[i - 1] + a[i + 1]) / 2;
            for (int i = 1; i < n - 1; i++) {
                int d = b[i] > a[i] ? b[i] - a[i] : a[i] - b[i];
                most = d > most ? d : most;
            }
            for (int i = 1; i < n - 1; i++) a[i] = b[i];
            worst[0] = most;
        }
#pragma endscop
}

/* One condition in another, rows that are looked at before they are taken, and a loop that is too short for a launch. */
void passed_on(int n, int m, int x[restrict const static n][m], int taken[restrict const static n]) {
#pragma scop
    for (int i = 1; i < n; i++) {
        taken[i] = 0;
        if (x[i - 1][0] > 0) {
            taken[i] = 1;
            for (int j = 0; j < m; j++) {
                x[i][j] += x[i - 1][j];
                for (int k = 0; k < 3; k++) x[i][j] ^= k;
            }
            if (x[i][m - 1] < 0 || x[i][0] > 9)
                for (int j = 0; j < m; j++) x[i][j] -= x[0][j];
        }
    }
#pragma endscop
}

/* Loops that wait for each other's neighbours, and one of which nothing is parallel. */
void in_waves(int n, int m, int x[restrict const static n], const int by[restrict const static m]) {
#pragma scop
    for (int k = 0; k < m; k++)
        if (by[k] > 0)
            for (int i = 1; i < n; i++) x[i] = x[i - 1] / 2 + by[k];
#pragma endscop
}

void in_order(int n, int m, const unsigned x[restrict const static n], const int by[restrict const static m],
              unsigned last[restrict const static 1]) {
#pragma scop
    last[0] = 1;
    for (int k = 0; k < m; k++)
        if (by[k] > 0)
            for (int i = 1; i < n; i++) last[0] = last[0] / 3 * 5 + x[i] % (last[0] + 1);
#pragma endscop
}
// sizes: n=1,2,33 m=1,33 steps=0,6 tol=2
