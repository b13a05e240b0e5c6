#include <pencil.h>
static void zero(float *x) { *x = 0; }
static float add(float a, float b) { return a + b; }
void f(int n, float a[const restrict static n], float out[const restrict static 1])
{
#pragma scop
  float s;
  __pencil_reduction_var_init(&s, zer);
  for (int i = 0; i < n; i++)
    __pencil_reduction(&s, a[i] * bb, ad);
  out[0] = s;
#pragma endscop
}
