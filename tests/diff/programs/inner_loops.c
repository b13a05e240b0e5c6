// Loops inside one statement: bounds of every operator, and variables whose first value nobody reads.
#include <pencil.h>
// sizes: n=0,1,33
void f(int n, const int a[static const restrict n], int o[static const restrict n])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    int x = a[i];
    for (int k = 0; k < (a[i] & 7); k++) { x = k; }
    x = i;
    o[i] = x;
  }
#pragma endscop
}
void g(int n, const int a[static const restrict n], const int b[static const restrict n], int o[static const restrict n])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int k = 0; k < (a[i] > 2 ? 3 : b[i] & 3); k++) s += k + 1;
    for (int k = 0; k < n && k < a[i]; k++) s += 10;
    for (int k = 7; k > (a[i] | 4); k--) s += 100;
    for (int k = 0; k != (b[i] ^ b[i]) + 2; k++) s += 1000;
    for (unsigned k = 0; k < (unsigned)(a[i] == 3) + (b[i] > 0 && a[i] > 0); k++) s += 10000;
    o[i] = s;
  }
#pragma endscop
}
