// Sums of every shape whose bits tell in which order the values met.
#include <pencil.h>

struct pair { float low, high; };

static void zero(float *v) { *v = 0.0f; }
static void zero_double(double *v) { *v = 0.0; }
static float add(float a, float b) { return a + b; }
static double add_double(double a, double b) { return a + b; }
static void nothing(struct pair *v) { v->low = 0.0f; v->high = 0.0f; }
static struct pair both(struct pair a, struct pair b) {
    struct pair sum = {a.low + b.low, a.high + b.high};
    return sum;
}

float all(int n, const float a[static const restrict n]) {
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    return s;
}

// The product of two elements may be contracted with the sum.
double product(int n, const float a[static const restrict n]) {
    double s;
    __pencil_reduction_var_init(&s, zero_double);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, (double)a[i] * (double)a[n - 1 - i] + (double)a[i] * 0.1, add_double);
    return s;
}

// Runs below another loop go to teams of threads.
void pitched(int rows, int columns, int pitch, const float a[static const restrict rows][pitch],
             float result[static const restrict 2]) {
    __pencil_assume(pitch >= columns);
    struct pair s;
    __pencil_reduction_var_init(&s, nothing);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            struct pair one = {a[i][j], a[i][j] * 0.3f};
            __pencil_reduction(&s, one, both);
        }
    result[0] = s.low;
    result[1] = s.high;
}

void in_rows(int rows, int columns, const float a[static const restrict rows][columns],
             float sums[static const restrict rows]) {
    for (int i = 0; i < rows; i++) {
        __pencil_reduction_var_init(&sums[i], zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&sums[i], a[i][j], add);
    }
}

// Rows of different lengths.
void triangle(int rows, const float a[static const restrict rows][rows], float sums[static const restrict rows]) {
    for (int i = 0; i < rows; i++) {
        __pencil_reduction_var_init(&sums[i], zero);
        for (int j = 0; j <= i; j++)
            __pencil_reduction(&sums[i], a[i][j], add);
    }
}

void in_columns(int rows, int columns, const float a[static const restrict rows][columns],
                float sums[static const restrict columns]) {
    for (int j = 0; j < columns; j++)
        __pencil_reduction_var_init(&sums[j], zero);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&sums[j], a[i][j], add);
}

// Columns below another kept loop.
void in_layers(int layers, int rows, int columns, const float a[static const restrict layers][rows][columns],
               float sums[static const restrict layers][columns]) {
    for (int l = 0; l < layers; l++)
        for (int j = 0; j < columns; j++) {
            __pencil_reduction_var_init(&sums[l][j], zero);
            for (int i = 0; i < rows; i++)
                __pencil_reduction(&sums[l][j], a[l][i][j], add);
        }
}
