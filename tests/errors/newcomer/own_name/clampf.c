#include <pencil.h>
static float clamp(float x, float lo, float hi) { return x < lo ? lo : x > hi ? hi : x; }
void clip(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = clamp(a[i], 0, 1);
#pragma endscop
}
