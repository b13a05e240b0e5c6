// The sum of an array of 8-byte structs with an operator on structs; the result is returned by value.
// tolerance: 1e-5
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 10007
#endif

typedef struct {
    float x;
    float y;
} Point;

static void origin(Point *p) {
    p->x = 0.0f;
    p->y = 0.0f;
}

static Point add(Point a, Point b) {
    Point c;
    c.x = a.x + b.x;
    c.y = a.y + b.y;
    return c;
}

Point sum_struct(int n, const Point a[static const restrict n]) {
    Point total;
    __pencil_reduction_var_init(&total, origin);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&total, a[i], add);
    return total;
}

static float value(unsigned seed) {
#ifdef INTEGER_DATA
    return (float)(seed >> 28);
#else
    return (float)(seed >> 8) / 16777216.0f;
#endif
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : N;
    Point *a = calloc((size_t)n, sizeof *a);
    unsigned seed = 5;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i].x = value(seed);
        seed = seed * 1664525u + 1013904223u;
        a[i].y = value(seed);
    }
    Point total = sum_struct(n, a);
    printf("sum_struct n=%d checksum %.7g %.7g\n", n, total.x, total.y);
    free(a);
    return 0;
}
