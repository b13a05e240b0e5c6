// sizes: n=0,1,33,300 m=0,1,40
// Arrays of accumulators that are initialised in a loop, and updated one by one and in loops, under conditions.
#include <pencil.h>
typedef struct { int result; int error; int J[6]; } Track;
static void zero(int *v) { *v = 0; }
static void one(int *v) { *v = 1; }
static void zerod(double *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
static int mul(int a, int b) { return a * b; }
static double addd(double a, double b) { return a + b; }

void two_arrays(int n, const int J[static const restrict n][3], int s[static const restrict 3],
                double c[static const restrict 2]) {
    for (int k = 0; k < 3; k++) __pencil_reduction_var_init(&s[k], zero);
    for (int k = 0; k < 2; k++) __pencil_reduction_var_init(&c[k], zerod);
    for (int x = 0; x < n; x++) {
        int e = J[x][0];
        if (e > 0) {
            for (int i = 0; i < 3; ++i) __pencil_reduction(&s[i], e * J[x][i], add);
            __pencil_reduction(&c[0], 1, addd);
        }
    }
}

void local_array(int n, const Track J[static const restrict n], int out[static const restrict 7]) {
    int s[7];
    for (int k = 0; k < 7; k++) __pencil_reduction_var_init(&s[k], zero);
    for (int x = 0; x < n; x++) {
        Track row = J[x];
        __pencil_reduction(&s[0], row.error * row.error, add);
        for (int i = 0; i < 6; ++i) __pencil_reduction(&s[1 + i], row.error * row.J[i], add);
    }
    for (int k = 0; k < 7; k++) out[k] = s[k];
}

// A counter that runs through the loops, a temporary in the innermost one, and a loop below a loop.
void triangle(int n, const Track track[static const restrict n], int out[static const restrict 27]) {
    int s[27];
    for (int k = 0; k < 27; k++)
        __pencil_reduction_var_init(&s[k], zero);
    for (int x = 0; x < n; x++) {
        int k = 6;
        for (int i = 0; i < 6; i++) {
            __pencil_reduction(&s[i], track[x].error * track[x].J[i], add);
            for (int j = i; j < 6; j++) {
                int p = track[x].J[i] * track[x].J[j];
                __pencil_reduction(&s[k], p, add);
                k++;
            }
        }
    }
    for (int k = 0; k < 27; k++) out[k] = s[k];
}

// The counter stands outside of everything, and is changed under a condition.
void counted_outside(int n, const Track track[static const restrict n], int out[static const restrict 12]) {
    for (int k = 11; k >= 0; k--)
        __pencil_reduction_var_init(&out[k], zero);
    for (int x = 0; x < n; x++) {
        int k;
        k = 0;
        for (int i = 5; i >= 0; i -= 1) {
            if (i % 2 == 0)
                k = k + 1;
            __pencil_reduction(&out[k], track[x].J[i], add);
        }
        __pencil_reduction(&out[11], k, add);
    }
}

// As many accumulators, but with extents that are not known, and different operators.
void unknown_extents(int n, int m, const int J[static const restrict n][m], int s[static const restrict m],
                     int c[static const restrict 2]) {
    for (int k = 0; k < m; k++) __pencil_reduction_var_init(&s[k], zero);
    for (int k = 0; k < 2; k++) __pencil_reduction_var_init(&c[k], one);
    for (int x = 0; x < n; x++) {
        int e = m > 0 ? J[x][0] : 0;
        if (e > 0) {
            for (int i = 0; i < m; ++i) __pencil_reduction(&s[i], e * J[x][i], add);
            __pencil_reduction(&c[0], 3, mul);
        }
    }
}

// Two dimensions, and an element that is not updated at all.
void matrix(int n, const int a[static const restrict n][3], int q[static const restrict 3][4]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            __pencil_reduction_var_init(&q[i][j], zero);
    for (int x = 0; x < n; x++) {
        for (int i = 0; i < 3; i++)
            for (int j = 0; j <= i; j++)
                __pencil_reduction(&q[i][j], a[x][i] * a[x][j], add);
        for (int i = 0; i < 3; i++)
            __pencil_reduction(&q[i][3], a[x][i], add);
    }
}

// An element goes on counting behind its update, where nothing can be written out.
void goes_on_counting(int n, const int a[static const restrict n], double s[static const restrict 200]) {
    for (int k = 0; k < 200; k++)
        __pencil_reduction_var_init(&s[k], zerod);
    for (int x = 0; x < n; x++) {
        int k = 3;
        for (int i = 0; i < 50; i++) {
            __pencil_reduction(&s[k], a[x] + i, addd);
            k += 2;
        }
    }
}
