// What a stitched kernel has to be careful with: guards, shorter stages, integers, structs, values written twice,
// statements of the row that write to memory, temporaries.
// sizes: n=1,5,33 m=0,1,2,33,70
#include <pencil.h>

struct pair {
    double low, high;
};

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }
static void none(int *v) { *v = 0; }
static int count(int a, int b) { return a + b; }
static void widest(struct pair *p) {
    p->low = 1e30;
    p->high = -1e30;
}
static struct pair join(struct pair a, struct pair b) {
    struct pair r;
    r.low = a.low < b.low ? a.low : b.low;
    r.high = a.high > b.high ? a.high : b.high;
    return r;
}

// The second walk leaves out the first element, and a guard leaves out others.
void guarded(int n, int m, const float x[static const restrict n][m], const int keep[static const restrict n][m],
             float y[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float sum, rest;
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < m; j++)
            if (keep[i][j] > 0)
                __pencil_reduction(&sum, x[i][j], add);
        __pencil_reduction_var_init(&rest, zero);
        for (int j = 1; j < m; j++)
            __pencil_reduction(&rest, x[i][j] - sum, add);
        for (int j = 0; j < m; j++)
            y[i][j] = x[i][j] * rest + sum;
    }
}

// Bytes: sixteen to a chunk.
void shares(int n, int m, const signed char x[static const restrict n][m], int y[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        int positive;
        __pencil_reduction_var_init(&positive, none);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&positive, x[i][j] > 0, count);
        for (int j = 0; j < m; j++)
            y[i][j] = x[i][j] + positive;
    }
}

// An operator of the user on a struct; the row is scaled in place, twice.
void spread(int n, int m, double x[static const restrict n][m], double width[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        struct pair range;
        __pencil_reduction_var_init(&range, widest);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&range, ((struct pair){x[i][j], x[i][j]}), join);
        width[i] = range.high - range.low;
        for (int j = 0; j < m; j++) {
            x[i][j] -= range.low;
            x[i][j] *= 0.5;
        }
    }
}

// Temporaries of a row; a statement of the row that only writes memory, on a condition.
void flagged(int n, int m, const float x[static const restrict n][m], int flag[static const restrict n],
             float y[static const restrict n][m]) {
    float t[n][m], mean[n];
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&mean[i], zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&mean[i], x[i][j], add);
        mean[i] /= m;
        flag[i] = 0;
        if (mean[i] > 1.0f)
            flag[i] = 1;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            t[i][j] = x[i][j] - mean[i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[i][j] = t[i][j] * t[i][j];
}

// Every other element: no runs to load.
void strided(int n, int m, const float x[static const restrict n][2 * m + 1], float y[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float sum;
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&sum, x[i][2 * j], add);
        for (int j = 0; j < m; j++)
            y[i][j] = x[i][2 * j] - sum;
    }
}
