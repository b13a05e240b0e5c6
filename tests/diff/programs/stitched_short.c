// Many short rows: a warp has several of them, more than there are warps (512 on the executor), and one alone otherwise.
// sizes: n=1,520 m=0,1,4,5,17,33,64,100,129,260 k=1,2
#include <math.h>
#include <pencil.h>

struct best {
    float value;
    int place;
};

static void zero(float *v) { *v = 0.0f; }
static void none(int *v) { *v = 0; }
static void all(unsigned *v) { *v = ~0u; }
static void zero_double(double *v) { *v = 0.0; }
static void lowest(float *v) { *v = -INFINITY; }
static void nothing(struct best *b) {
    b->value = -INFINITY;
    b->place = 1 << 30;
}
static float add(float a, float b) { return a + b; }
static double plus(double a, double b) { return a + b; }
static int sum_of(int a, int b) { return a + b; }
static unsigned both(unsigned a, unsigned b) { return a & b; }
static float larger(float a, float b) { return a > b ? a : b; }
static struct best better(struct best a, struct best b) {
    return a.value > b.value || (a.value == b.value && a.place < b.place) ? a : b;
}

void softmax(int n, int m, const float x[static const restrict n][m], float y[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float most, total;
        __pencil_reduction_var_init(&most, lowest);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&most, x[i][j], larger);
        __pencil_reduction_var_init(&total, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&total, expf(x[i][j] - most), add);
        for (int j = 0; j < m; j++)
            y[i][j] = expf(x[i][j] - most) / total;
    }
}

// In place, and what one thread of a row stores.
void centred(int n, int m, float x[static const restrict n][m], float mean[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&mean[i], zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&mean[i], x[i][j], add);
        mean[i] = m > 0 ? mean[i] / m : 0.0f;
        for (int j = 0; j < m; j++)
            x[i][j] = x[i][j] - mean[i];
    }
}

// 16-bit floats, eight of them a chunk, below two loops.
void scaled(int n, int m, int k, const pencil_half x[static const restrict k][n][m],
            pencil_half y[static const restrict k][n][m]) {
    for (int b = 0; b < k; b++)
        for (int i = 0; i < n; i++) {
            float squares;
            __pencil_reduction_var_init(&squares, zero);
            for (int j = 0; j < m; j++)
                __pencil_reduction(&squares, pencil_half_to_float(x[b][i][j]) * pencil_half_to_float(x[b][i][j]), add);
            float by = 1.0f / sqrtf(1.0f + squares);
            for (int j = 0; j < m; j++)
                y[b][i][j] = pencil_float_to_half(pencil_half_to_float(x[b][i][j]) * by);
        }
}

// Integers, for which a whole warp has an instruction, two reductions at once and a condition.
void shares(int n, int m, const int x[static const restrict n][m], int y[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        int total;
        unsigned bits;
        __pencil_reduction_var_init(&total, none);
        __pencil_reduction_var_init(&bits, all);
        for (int j = 0; j < m; j++) {
            if (x[i][j] > 0)
                __pencil_reduction(&total, x[i][j] & 255, sum_of);
            __pencil_reduction(&bits, (unsigned)x[i][j] | 3u, both);
        }
        for (int j = 0; j < m; j++)
            y[i][j] = (x[i][j] & 255) * 16 + total % 16 + (int)(bits & 1u);
    }
}

void normed(int n, int m, const double x[static const restrict n][m], double y[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        double total, squares;
        __pencil_reduction_var_init(&total, zero_double);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&total, x[i][j], plus);
        const double mean = m > 0 ? total / m : 0.0;
        __pencil_reduction_var_init(&squares, zero_double);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&squares, (x[i][j] - mean) * (x[i][j] - mean), plus);
        for (int j = 0; j < m; j++)
            y[i][j] = (x[i][j] - mean) / sqrt(1.0 + squares);
    }
}

// A struct is exchanged; elements are two places apart.
void without_best(int n, int m, const float x[static const restrict n][2 * m], float y[static const restrict n][2 * m]) {
    for (int i = 0; i < n; i++) {
        struct best found;
        __pencil_reduction_var_init(&found, nothing);
        for (int j = 0; j < m; j++) {
            struct best one = {x[i][2 * j], j};
            __pencil_reduction(&found, one, better);
        }
        for (int j = 0; j < m; j++)
            y[i][2 * j] = j == found.place ? 0.0f : x[i][2 * j] - found.value;
    }
}

// Rows of a length that is known.
void of_24(int n, const float x[static const restrict n][24], float y[static const restrict n][24]) {
    for (int i = 0; i < n; i++) {
        float most, total;
        __pencil_reduction_var_init(&most, lowest);
        for (int j = 0; j < 24; j++)
            __pencil_reduction(&most, x[i][j], larger);
        __pencil_reduction_var_init(&total, zero);
        for (int j = 0; j < 24; j++)
            __pencil_reduction(&total, x[i][j] - most, add);
        for (int j = 0; j < 24; j++)
            y[i][j] = x[i][j] - most - total;
    }
}
