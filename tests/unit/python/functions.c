// What the tests of `pencilc.compile` call: returned and passed structs, arrays of several dimensions and types.
#include <float.h>
#include <limits.h>
#include <pencil.h>

typedef struct { float value; int index; } Best;
typedef struct { short weight; float at[2]; } Point;
typedef struct { int radius; float factor; } Settings;

static const int CHANNELS = 3;

static void nothing(Best *best) { best->value = FLT_MAX; best->index = INT_MAX; }
static Best candidate(float value, int index) { Best best = {value, index}; return best; }
static Best smaller(Best a, Best b) {
    return a.value < b.value || (a.value == b.value && a.index < b.index) ? a : b;
}

Best argmin(int n, const float a[static const restrict n]) {
    Best best;
    __pencil_reduction_var_init(&best, nothing);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&best, candidate(a[i], i), smaller);
    return best;
}

static void scale(int rows, int columns, double factor, const double x[static const restrict rows][columns],
                  double y[static const restrict rows][columns]) {
#pragma scop
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            y[i][j] = factor * x[i][j];
#pragma endscop
}

void blur(int n, Settings settings, unsigned char image[static const restrict n + 1][2 * settings.radius][CHANNELS]) {
#pragma scop
    for (int i = 0; i < n + 1; i++)
        for (int j = 0; j < 2 * settings.radius; j++)
            for (int c = 0; c < CHANNELS; c++)
                image[i][j][c] = (unsigned char)(settings.factor * image[i][j][c]);
#pragma endscop
}

void widen(int n, const pencil_half a[static const restrict n], const pencil_bfloat16 b[static const restrict n],
           float c[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        c[i] = pencil_half_to_float(a[i]) + pencil_bfloat16_to_float(b[i]);
#pragma endscop
}

void weigh(int count, Point points[static const restrict count]) {
#pragma scop
    for (int i = 0; i < count; i++)
        points[i].at[1] = points[i].weight * points[i].at[0];
#pragma endscop
}

// Its parameter has the name of one of ours.
void flat(int rows, int columns, float stream[static const restrict rows * columns]) {
#pragma scop
    for (int i = 0; i < rows * columns; i++)
        stream[i] = stream[i] + 1;
#pragma endscop
}

void gather(int n, int m, const int at[static const restrict n], const float from[static const restrict m],
            float to[static const restrict n]) {
#pragma scop
#pragma pencil independent
    for (int i = 0; i < n; i++)
        to[i] = from[at[i]];
#pragma endscop
}

int main(void) {
    int n = 10;
    float a[10], last = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 2 * i;
    last = a[n - 1];
#pragma endscop
    return (int)last;
}
