/* A byte or two for each element of 8, 12, 16 or 24 bytes: chunks are as long as the wide elements let them be, and have
 * a few bytes of the narrow ones. */
// sizes: n=0,1,33,5001 rows=1,33,1009 columns=1,31,130
#include <pencil.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    double x, y;
} Point;

typedef struct {
    float r, g, b;
} Colour;

static void zero(double *s) { *s = 0; }
static double add(double a, double b) { return a + b; }
static void none(long *s) { *s = 0; }
static long plus(long a, long b) { return a + b; }
static void lowest(float *m) { *m = -1e30f; }
static float larger(float a, float b) { return a > b ? a : b; }

double chosen_points(int n, const Point p[static const restrict n], const uint8_t on[static const restrict n]) {
    double s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        if (on[i]) __pencil_reduction(&s, p[i].x * p[i].y, add);
    return s;
}

long labels_of_points(int n, const Point p[static const restrict n], const int16_t label[static const restrict n]) {
    long s;
    __pencil_reduction_var_init(&s, none);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, p[i].x > 0 ? label[i] : 1, plus);
    return s;
}

float brightest(int n, const Colour c[static const restrict n], const bool alive[static const restrict n]) {
    float m;
    __pencil_reduction_var_init(&m, lowest);
    for (int i = 0; i < n; i++)
        if (alive[i]) __pencil_reduction(&m, c[i].r + c[i].g + c[i].b, larger);
    return m;
}

double chosen_rows(int n, const float x[static const restrict n][4], const signed char sign[static const restrict n]) {
    double s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, sign[i] * (double)(x[i][0] + x[i][1] + x[i][2] + x[i][3]), add);
    return s;
}

void weighted_rows(int rows, int columns, const double x[static const restrict rows][columns],
                   const uint8_t weight[static const restrict rows][columns], double y[static const restrict rows]) {
#pragma scop
    for (int i = 0; i < rows; i++) {
        __pencil_reduction_var_init(&y[i], zero);
        for (int j = 0; j < columns; j++) __pencil_reduction(&y[i], weight[i][j] * x[i][j], add);
    }
#pragma endscop
}

long half_words(int n, const int16_t a[static const restrict n], const double x[static const restrict n]) {
    long s;
    __pencil_reduction_var_init(&s, none);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, x[i] < 0 ? -a[i] : a[i], plus);
    return s;
}
