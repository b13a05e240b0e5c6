// A program with a region in host code: pencilc writes program.cu and program_host.c.
#include <pencil.h>
#include <stdio.h>

#include "range.h"
#include "settings.h"

static void zero(double *sum) { *sum = 0; }
static double add(double a, double b) { return a + b; }

int main(void) {
    static float values[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = (float)(i * 7 % 13) - 5;

    double squares;
#pragma scop
    __pencil_reduction_var_init(&squares, zero);
    for (int i = 0; i < COUNT; i++)
        __pencil_reduction(&squares, (double)values[i] * values[i], add);
#pragma endscop

    Range range = range_of(COUNT, values);
    printf("from %g to %g, squares %g\n", range.least, range.greatest, squares);
    return 0;
}
