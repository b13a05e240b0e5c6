// sizes: rows=2,3 columns=20011,70002 step=70003
// A picture with a pitch: few long rows and several threads of the grid for each, one of its columns left out.
#include <pencil.h>
static void zero(long *v) { *v = 0; }
static long add(long a, long b) { return a + b; }

long pitched_few(int rows, int columns, int step, const int a[static const restrict rows][step]) {
    __pencil_assume(step >= columns);
    long s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < rows; i++)
        for (int j = 1; j < columns; j++)
            __pencil_reduction(&s, (long)a[i][j] * (j % 3), add);
    return s;
}
