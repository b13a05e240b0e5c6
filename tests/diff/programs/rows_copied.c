// Rows too long for the registers of a block, of elements of every width, aligned and not, in place too: whole words of
// them are copied to shared memory in the background.
// sizes: rows=9 columns=17001 pitch=17003
#include <math.h>
#include <pencil.h>

typedef struct { float x, y, z; } Point;

static void zero(float *v) { *v = 0.0f; }
static void lowest(float *v) { *v = -INFINITY; }
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }
static void lzero(long long *v) { *v = 0; }
static long long ladd(long long a, long long b) { return a + b; }
static void dlowest(double *v) { *v = -INFINITY; }
static double dlarger(double a, double b) { return a > b ? a : b; }
static void origin(Point *v) { v->x = v->y = v->z = -INFINITY; }
static Point outermost(Point a, Point b) {
    Point c = {larger(a.x, b.x), larger(a.y, b.y), larger(a.z, b.z)};
    return c;
}
static float apart(Point a, Point b) { return a.x - b.x + (a.y - b.y) * (a.z - b.z); }

/* a row of an odd number of floats: three of four are not aligned */
void softmax(int rows, int columns, float x[static const restrict rows][columns]) {
    for (int i = 0; i < rows; i++) {
        float max, sum;
        __pencil_reduction_var_init(&max, lowest);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&max, x[i][j], larger);
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&sum, expf(x[i][j] - max), add);
        for (int j = 0; j < columns; j++)
            x[i][j] = expf(x[i][j] - max) / sum;
    }
}

/* columns of a wider matrix, from the second one on */
void columns_of_doubles(int rows, int columns, int pitch, const double x[static const restrict rows][pitch],
                        double y[static const restrict rows][columns]) {
    __pencil_assume(columns + 1 <= pitch);
    for (int i = 0; i < rows; i++) {
        double max;
        __pencil_reduction_var_init(&max, dlowest);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&max, x[i][j + 1], dlarger);
        for (int j = 0; j < columns; j++)
            y[i][j] = x[i][j + 1] - max;
    }
}

/* structs come through registers */
void boxes(int rows, int columns, const Point p[static const restrict rows][columns],
           float far[static const restrict rows][columns]) {
    for (int i = 0; i < rows; i++) {
        Point most;
        __pencil_reduction_var_init(&most, origin);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&most, p[i][j], outermost);
        for (int j = 0; j < columns; j++)
            far[i][j] = apart(most, p[i][j]);
    }
}

/* of two bytes, which may begin anywhere in a word */
void centred(int rows, int columns, const short x[static const restrict rows][columns],
             long long y[static const restrict rows][columns]) {
    for (int i = 0; i < rows; i++) {
        long long sum;
        __pencil_reduction_var_init(&sum, lzero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&sum, x[i][j], ladd);
        for (int j = 0; j < columns; j++)
            y[i][j] = x[i][j] * 64LL - sum;
    }
}

/* floats and shorts of one row together */
void weighed(int rows, int columns, const float x[static const restrict rows][columns],
             const unsigned short w[static const restrict rows][columns],
             float y[static const restrict rows][columns]) {
    for (int i = 0; i < rows; i++) {
        float max;
        __pencil_reduction_var_init(&max, lowest);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&max, x[i][j] * (float)w[i][j], larger);
        for (int j = 0; j < columns; j++)
            y[i][j] = x[i][j] * (float)w[i][j] - max;
    }
}
