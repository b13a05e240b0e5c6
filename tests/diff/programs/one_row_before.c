// sizes: n=1,2,9,70 m=0,1,33
// What one row alone does before the others start: where the values of all rows are is not what that row says of it.
#include <math.h>
#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }

void loop_of_one(int n, int m, int a[static const restrict n][m], int b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < min(1, n); i++)
        b[i] = b[i] & 7;
    for (int i = 0; i < n; i++) {
        int y = b[i] % 50, sum;
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&sum, a[i][j] % 20, add);
        for (int j = 0; j < m; j++)
            a[i][j] = a[i][j] % 10 + sum % 100 + y;
        b[i] = sum + y;
    }
#pragma endscop
}

void first_element(int n, int m, int a[static const restrict n][m], int b[static const restrict n]) {
    __pencil_assume(n > 0);
    b[0] = b[0] % 7 + 1;
    for (int i = 0; i < n; i++) {
        int sum;
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&sum, a[i][j] % 20 + b[i] % 3, add);
        b[i] += sum;
        for (int j = 0; j < m; j++)
            a[i][j] = a[i][j] % 10 + b[i] % 100;
    }
}

void last_row(int n, int m, int a[static const restrict n][m], int b[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        int sum;
        if (i == n - 1)
            b[i] = b[i] / 2;
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&sum, a[i][j] % 20, add);
        b[i] = b[i] % 1000 + sum;
        for (int j = 0; j < m; j++)
            a[i][j] = a[i][j] % 10 + b[i] % 100;
    }
}

void two_edges(int n, int m, int a[static const restrict n][m], int b[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        int sum;
        if (i == 0 || i == n - 1)
            b[i] = b[i] & 3;
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&sum, a[i][j] % 20 + (b[i] & 1), add);
        b[i] += sum;
        for (int j = 0; j < m; j++)
            a[i][j] = a[i][j] % 10 + b[i] % 100;
    }
}
