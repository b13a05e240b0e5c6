#include <pencil.h>
void f(int n, float a[const restrict static n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = smooth(b[i]) + c[i] * sqrtt(a[i]) + dd;
#pragma endscop
}
