// What pencil.h defines is not defined again; `min`, which is a macro there, may be defined in front of it.
static int min(int a, int b) { return a < b ? a : b; }
static int imin(int a, int b) { return a < b ? a : b; } // error[PC0015]: redefinition of `imin`, which pencil.h defines
#define PENCIL_NO_MIX
#include <pencil.h>
static int imax(int a, int b) { return a > b ? a : b; } // error[PC0015]: redefinition of `imax`, which pencil.h defines
static float mixf(float a) { return a; } // error[PC0015]: redefinition of `mixf`
static double mix(double a) { return a; }
static int max(int a, int b) { return a > b ? a : b; } // error[PC0015]: redefinition of `max`
static float pencil_half_to_float(pencil_half x) { return 1; } // error[PC0015]: redefinition of `pencil_half_to_float`

void uses(int n, int a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = imax(a[i], 3) + min(a[i], 4) + (int)mix(a[i]);
#pragma endscop
}
