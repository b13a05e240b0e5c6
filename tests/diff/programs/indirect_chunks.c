// Values go to bins a chunk at a time: pictures of one value, runs of values, rows of a pitch, conditions, weights and two
// updates for each point.
// sizes: n=0,1,15,17,300 m=1,33 pitch=35
// tolerance: 0
#include <pencil.h>
static void zero(int *v) { *v = 0; }
static void low(int *v) { *v = -2147483647; }
static int add(int a, int b) { return a + b; }
static int larger(int a, int b) { return a > b ? a : b; }

void bytes(int n, const unsigned char a[static const restrict n], int count[static const restrict 256]) {
    for (int b = 0; b < 256; b++) __pencil_reduction_var_init(&count[b], zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&count[a[i]], 1, add);
}

void runs(int n, const unsigned char a[static const restrict n], int count[static const restrict 3]) {
    for (int b = 0; b < 3; b++) __pencil_reduction_var_init(&count[b], zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&count[a[i] / 100], 1, add);
}

void one_value(int n, const unsigned char a[static const restrict n], int count[static const restrict 2]) {
    for (int b = 0; b < 2; b++) __pencil_reduction_var_init(&count[b], zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&count[a[i] / 256], 1, add);
}

void by_place(int n, const short a[static const restrict n], int count[static const restrict 40]) {
    for (int b = 0; b < 40; b++) __pencil_reduction_var_init(&count[b], zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&count[(i / 5 + (a[i] & 1)) % 40], a[i], add);
}

void of_a_pitch(int n, int m, int pitch, const unsigned char a[static const restrict n][pitch],
                int count[static const restrict 256]) {
    __pencil_assume(pitch >= m);
    for (int b = 0; b < 256; b++) __pencil_reduction_var_init(&count[b], zero);
    for (int y = 0; y < n; y++)
        for (int x = 0; x < m; x++) __pencil_reduction(&count[a[y][x]], 1, add);
}

void of_each_row(int n, int m, const unsigned char a[static const restrict n][m],
                 int count[static const restrict n][16]) {
    for (int y = 0; y < n; y++) {
        for (int b = 0; b < 16; b++) __pencil_reduction_var_init(&count[y][b], zero);
        for (int x = 0; x < m; x++) __pencil_reduction(&count[y][a[y][x] >> 4], 1, add);
    }
}

void under_a_condition(int n, const int a[static const restrict n], int count[static const restrict 8]) {
    for (int b = 0; b < 8; b++) __pencil_reduction_var_init(&count[b], zero);
    for (int i = 0; i < n; i++)
        if (a[i] > 0) __pencil_reduction(&count[a[i] & 7], 1, add);
}

void two_of_a_point(int n, const unsigned char a[static const restrict n], const unsigned char b[static const restrict n],
                    int count[static const restrict 256], int largest[static const restrict 16]) {
    for (int k = 0; k < 256; k++) __pencil_reduction_var_init(&count[k], zero);
    for (int k = 0; k < 16; k++) __pencil_reduction_var_init(&largest[k], low);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&count[a[i]], 1, add);
        if (b[i] != a[i]) __pencil_reduction(&count[b[i]], 2, add);
        __pencil_reduction(&largest[a[i] >> 4], b[i], larger);
    }
}

void of_wide_values(int n, const long long a[static const restrict n], int count[static const restrict 4]) {
    for (int b = 0; b < 4; b++) __pencil_reduction_var_init(&count[b], zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&count[a[i] & 3], 1, add);
}

void of_no_array(int n, int count[static const restrict 4]) {
    for (int b = 0; b < 4; b++) __pencil_reduction_var_init(&count[b], zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&count[i * i / 7 % 4], 1, add);
}
