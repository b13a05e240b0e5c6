// The names of the public PENCIL headers come with pencil.h alone.
// sizes: n=0,33
#include <pencil.h>

void names(int n, float a[pencil_attributes n], float o[pencil_attributes n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = sqrtf(fabsf(a[i])) + (float)fmax(a[i], 1.0) + floorf(mixf(a[i], 2, 0.5f)) + fclampf(a[i], 0, 1);
#pragma endscop
}
