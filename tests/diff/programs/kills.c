// sizes: n=0,1,5,300,5000
// Kills free a value, not its place: what comes behind them waits for those who still read the old value.
#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }

void parameter(int n, const int a[static const restrict n], int t[static const restrict n], int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        t[i] = a[i];
    __pencil_kill(t);
    for (int i = 0; i < n; i++)
        t[i] = a[n - 1 - i] * 2;
    for (int i = 0; i < n; i++)
        o[i] = t[n - 1 - i] + t[i];
#pragma endscop
}

void element(int n, const int a[static const restrict n], int t[static const restrict n], int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        t[i] = a[i];
    for (int i = 0; i < n; i++)
        o[i] = t[n - 1 - i];
    for (int i = 0; i < n; i++) {
        __pencil_kill(t[i]);
        t[i] = a[n - 1 - i] * 2;
    }
    for (int i = 0; i < n; i++)
        o[i] = o[i] + t[n - 1 - i];
#pragma endscop
}

int local(int n, const int a[static const restrict n], int o[static const restrict n]) {
    int s;
#pragma scop
    int t[n];
    for (int i = 0; i < n; i++)
        t[i] = a[i];
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, t[i] + t[n - 1 - i], add);
    __pencil_kill(t);
    for (int i = 0; i < n; i++)
        t[i] = a[n - 1 - i] * 2;
    for (int i = 0; i < n; i++)
        o[i] = t[n - 1 - i] + t[i] + s;
#pragma endscop
    return s;
}

void scalar(int n, const int a[static const restrict n], int o[static const restrict n]) {
#pragma scop
    if (n > 0) {
        int x;
        x = a[0];
        for (int i = 0; i < n; i++)
            o[i] = a[i] + x;
        __pencil_kill(x);
        x = a[n - 1];
        for (int i = 0; i < n; i++)
            o[i] = o[i] % 100 * 3 + x;
    }
#pragma endscop
}

// The variable of a reduction is killed and reduced into again, with a use on each side.
int twice(int n, const int a[static const restrict n], int o[static const restrict n]) {
    int s;
#pragma scop
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    for (int i = 0; i < n; i++)
        o[i] = s;
    __pencil_kill(s);
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i] % 7, add);
#pragma endscop
    return s;
}

// Under a condition that is data a kill may not happen.
int perhaps(int n, const int a[static const restrict n], int t[static const restrict n]) {
    int s;
#pragma scop
    for (int i = 0; i < n; i++)
        t[i] = a[i] * 2;
    __pencil_reduction_var_init(&s, zero);
    if (n > 0 && a[0] == 12345)
        __pencil_kill(t);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, t[n - 1 - i], add);
#pragma endscop
    return s;
}

int perhaps_in_a_loop(int n, const int a[static const restrict n], int t[static const restrict n]) {
    int s;
#pragma scop
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        t[i] = a[i] * 2;
    for (int i = 0; i < n; i++)
        if (a[i] > 100000000) {
            __pencil_kill(t[n - 1 - i]);
            __pencil_reduction(&s, 1, add);
        }
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, t[n - 1 - i], add);
#pragma endscop
    return s;
}

// Storage that is used again: the store in between is read by nobody.
void overwritten_unread(int n, const int a[static const restrict n], int o[static const restrict n],
                        int p[static const restrict n]) {
#pragma scop
    int t[n];
    for (int q = 0; q < n; q++)
        t[q] = a[q];
    for (int q = 0; q < n; q++)
        o[q] = t[n - 1 - q];
    for (int q = 0; q < n; q++)
        t[q] = q;
    for (int q = 0; q < n; q++)
        t[q] = a[n - 1 - q] * 7;
    for (int q = 0; q < n; q++)
        p[q] = t[n - 1 - q];
#pragma endscop
}

void scalar_overwritten_unread(int n, const int a[static const restrict n], int o[static const restrict n],
                               int p[static const restrict n]) {
#pragma scop
    if (n > 0) {
        int x = a[0];
        for (int q = 0; q < n; q++)
            o[q] = x + q;
        x = 5;
        x = a[n - 1] * 7;
        for (int q = 0; q < n; q++)
            p[q] = x;
    }
#pragma endscop
}

// The store that nobody reads reads the result of a reduction.
void result_stored_unread(int n, const int a[static const restrict n], int o[static const restrict n]) {
#pragma scop
    int s, t[n];
    for (int q = 0; q < n; q++)
        t[q] = a[q];
    __pencil_reduction_var_init(&s, zero);
    for (int q = 0; q < n; q++)
        __pencil_reduction(&s, t[q], add);
    for (int q = 0; q < n; q++)
        t[q] = s;
    for (int q = 0; q < n; q++)
        t[q] = q;
    for (int q = 0; q < n; q++)
        o[q] = t[n - 1 - q] + s;
#pragma endscop
}
