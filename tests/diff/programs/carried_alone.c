// Reductions that one thread begins and ends: in a register, and stored once.
// sizes: n=0,1,33,600
#include <pencil.h>

typedef struct {
    float low, high;
} Range;

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }
static void big(float *v) { *v = 1e30f; }
static float least(float a, float b) { return a < b ? a : b; }

// Two neighbours of one array are open at once, beside a member of each.
void neighbours(int n, const float a[static const restrict n][n], float s[static const restrict 2 * n],
                Range r[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[2 * i], zero);
        __pencil_reduction_var_init(&s[2 * i + 1], zero);
        __pencil_reduction_var_init(&r[i].low, big);
        for (int j = i < 4 ? 0 : i - 4; j <= i; j++) {
            __pencil_reduction(&s[2 * i], a[j][i], add);
            __pencil_reduction(&s[2 * i + 1], a[j][i] * 2, add);
            __pencil_reduction(&r[i].low, a[j][i], least);
        }
        r[i].high = s[2 * i] + s[2 * i + 1];
    }
}

// What was there goes on to count, is read before, and is left alone where nothing is begun.
void kept(int n, const int a[static const restrict 4 + n][n], int s[static const restrict n],
          int old[static const restrict n], const int wanted[static const restrict n],
          int t[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        old[i] = s[i];
        for (int j = i; j < i + 3; j++) s[i] += a[j][i];
        if (wanted[i] > 2) {
            t[i] = 1;
            for (int j = i + 1; j < i + 4; j++) t[i] ^= a[j][i];
        }
    }
#pragma endscop
}

// The start value is written where the reduction begins, in rounds of a loop whose iterations wait for each other.
void in_rounds(int n, const unsigned start[static const restrict n], unsigned s[static const restrict n],
               unsigned x[static const restrict n][n], const unsigned z[static const restrict n][n]) {
#pragma scop
    for (int t = 0; t < 2; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 1; j < n - 1; j++) x[i][j] = z[i][j + 1] + z[i][j - 1];
        for (int i = 0; i < n; i++) {
            s[i] = start[i];
            for (int j = 0; j < n; j++) s[i] ^= x[i][j] + start[i];
        }
    }
#pragma endscop
}
