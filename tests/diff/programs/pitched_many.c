// sizes: rows=20011 columns=3,17 step=20
// Many short rows with a pitch: a few threads for each.
#include <pencil.h>
static void zero(long *v) { *v = 0; }
static long add(long a, long b) { return a + b; }

long pitched_many(int rows, int columns, int step, const short a[static const restrict rows][step]) {
    __pencil_assume(step >= columns);
    long s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&s, (long)a[i][j], add);
    return s;
}
