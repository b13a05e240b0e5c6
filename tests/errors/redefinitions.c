// Functions of the file with the names of those of pencil.h are used; what has no way to leave it out is an error.
static int min(int a, int b) { return a < b ? a : b; } // note[PC0016]: this `min` is used
static int imin(int a, int b) { return a < b ? a : b; } // note[PC0016]: this `imin` is used
#define PENCIL_NO_MIX
#include <pencil.h>
static int imax(int a, int b) { return a > b ? a : b; } // note[PC0016]: this `imax` is used
static float mixf(float a) { return a; } // note[PC0016]: this `mixf` is used
static double mix(double a) { return a; }
static int max(int a, int b) { return a > b ? a : b; } // note[PC0016]: this `max` is used
static float pencil_half_to_float(pencil_half x) { return 1; } // error[PC0015]: redefinition of `pencil_half_to_float`

void uses(int n, int a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = imax(a[i], 3) + min(a[i], 4) + (int)mix(a[i]);
#pragma endscop
}
