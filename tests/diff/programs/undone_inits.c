// sizes: n=0,1,2,33,100 m=0,1,3,77
// Initialisations that are undone by others before anybody looks, and a merge node amid a loop that goes on.
#include <pencil.h>
static void none(int *v) { *v = 0; }
static void one(int *v) { *v = 1; }
static int add(int x, int y) { return x + y; }

void repeated(int n, int m, const int a[static const restrict n][m], int c[static const restrict m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            __pencil_reduction_var_init(&c[j], none);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            __pencil_reduction(&c[j], a[i][j], add);
}

void some_of_them(int n, int m, const int a[static const restrict n][m], int c[static const restrict m]) {
    for (int j = 0; j < m; j++)
        __pencil_reduction_var_init(&c[j], none);
    for (int j = 0; j < m; j++)
        if (j < 5)
            __pencil_reduction_var_init(&c[j], none);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            __pencil_reduction(&c[j], a[i][j], add);
}

int scalar(int n, const int a[static const restrict n]) {
    int s;
    for (int i = 0; i < 3; i++)
        __pencil_reduction_var_init(&s, none);
    __pencil_reduction_var_init(&s, none);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    return s;
}

int the_last_row(int n, int m, const int a[static const restrict n][m]) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s, none);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s, a[i][j], add);
    }
    return s;
}

int stored_behind(int n, const int a[static const restrict n]) {
    int s;
    __pencil_reduction_var_init(&s, none);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    for (int k = 0; k < n; k++)
        s = k;
    return s;
}

// The old value is looked at between two initialisations, or only some of the elements are initialised again.
int looked_at(int n, const int a[static const restrict n], int o[static const restrict 2]) {
    int s;
    __pencil_reduction_var_init(&s, none);
    o[0] = s + 5;
    __pencil_reduction_var_init(&s, none);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    o[1] = s;
    return s;
}

void even_ones(int n, int m, const int a[static const restrict n][m], int c[static const restrict m]) {
    for (int j = 0; j < m; j++)
        __pencil_reduction_var_init(&c[j], none);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < m; j += 2)
            __pencil_reduction_var_init(&c[j], none);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            __pencil_reduction(&c[j], a[i][j], add);
}

// Nothing is parallel around the updates, and the loop goes on behind the last of them.
int amid_a_loop(int m, int a[static const restrict m]) {
    int s;
    __pencil_reduction_var_init(&s, none);
    for (int j = 0; j < m; j++)
        for (int i = m - 1; i >= 0; i--) {
            a[j] = 1;
            __pencil_reduction(&s, 1, add);
            a[i] = 2;
        }
    return s;
}

// In one thread, with code that is never executed: what it touches is not there.
int never_executed(int n, int a[static const restrict n], int b[static const restrict n][n],
                   int o[static const restrict n]) {
    int t = 0;
#pragma scop
    for (int i = 1; i < n; i++) {
        a[i] = a[i - 1] + 1;
        if (i > n) {
            int y;
            y = b[0][0];
            o[i] = y;
        } else {
            int q = a[i], unread = q;
            a[i] = q + 1;
        }
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++)
            if (i == n - 1) {
                o[j] = b[i][j];
                t = 3;
            }
#pragma endscop
    return t;
}
