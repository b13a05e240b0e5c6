// Columns of so few rows that threads take more columns instead, and few columns of many outer points side by side.
// sizes: p=1,70 r=0,1,3,9 n=1,5,33
#include <pencil.h>
static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }
static void izero(int *v) { *v = 0; }
static int iadd(int a, int b) { return a + b; }

void layers(int p, int r, int n, const float a[static const restrict p][r][n], float s[static const restrict p][n]) {
    for (int o = 0; o < p; o++) {
        for (int i = 0; i < n; i++) __pencil_reduction_var_init(&s[o][i], zero);
        for (int k = 0; k < r; k++)
            for (int i = 0; i < n; i++) __pencil_reduction(&s[o][i], a[o][k][i], add);
    }
}

void of_bytes(int p, int r, int n, const signed char a[static const restrict p][r][n], int s[static const restrict p][n],
              const int scale[static const restrict p]) {
    for (int o = 0; o < p; o++)
        for (int i = 0; i < n; i++) {
            __pencil_reduction_var_init(&s[o][i], izero);
            for (int k = 0; k < r; k++) __pencil_reduction(&s[o][i], a[o][k][i] * scale[o], iadd);
        }
}

void wide(int r, const float a[static const restrict r][4230], float s[static const restrict 4230]) {
    for (int i = 0; i < 4230; i++) __pencil_reduction_var_init(&s[i], zero);
    for (int k = 0; k < r; k++)
        for (int i = 0; i < 4230; i++) __pencil_reduction(&s[i], a[k][i], add);
}

void wide_layers(int r, const double a[static const restrict 5][r][1101], double s[static const restrict 5][1101]) {
    for (int o = 0; o < 5; o++)
        for (int i = 0; i < 1101; i++) {
            s[o][i] = 0.0;
            for (int k = 0; k < r; k++) s[o][i] += a[o][k][i];
        }
}
