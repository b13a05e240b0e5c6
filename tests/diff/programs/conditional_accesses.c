// sizes: n=0,1,33,1009 has=0,1
// Accesses that a condition inside the expression decides about.
#include <pencil.h>
static int get(int n, const int a[n], int i) { return a[i]; }
static int get2(int n, const int a[n], int i) { return i >= 0 && i < n ? a[i] : 0; }
static int get3(int n, const int a[n], int i) { if (i < 0 || i >= n) return 0; return a[i]; }
void f(int n, const int a[static const restrict n], int o[static const restrict n][8])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    o[i][0] = i > 0 && a[i - 1] > 0;
    o[i][1] = i > 0 ? a[i - 1] : 0;
    o[i][2] = i == n - 1 || a[i + 1] > 0;
    o[i][3] = i < n - 1 ? get(n, a, i + 1) : 0;
    o[i][4] = get2(n, a, i + 1);
    o[i][5] = get3(n, a, i - 1);
    o[i][6] = i > 0 && get(n, a, i - 1) > 0;
    o[i][7] = a[i] > 0 ? i > 0 ? a[i - 1] : 1 : 2;
  }
#pragma endscop
}
int g(int n, const int a[static const restrict n])
{
  int s = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    s += i > 0 ? a[i - 1] : 0;
    if (i < n - 1 && a[i + 1] > 3) s++;
    if (a[i] > 0 && i < n - 1 && get(n, a, i + 1) > 3) s++;
  }
#pragma endscop
  return s;
}
static int set(int n, int a[n], int i, int v) { a[i] = v; return v; }
void called_or_not(int n, const int a[static const restrict n], int o[static const restrict n], int q[static const restrict n])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    o[i] = 7;
    q[i] = a[i] > 0 ? set(n, o, i, i) : a[i];
    q[i] += a[i] > 3 && set(n, o, i, 2) > 1;
  }
#pragma endscop
}

// An array whose size is a product has an end that nothing affine says: it is read behind the question alone.
float chosen_array(int n, int has, const float x[static const restrict n], const float w[static const restrict has * n])
{
#ifdef __PENCILC__
  __pencil_assume(0 <= has);
  __pencil_assume(has <= 1);
#endif
  float s = 0;
#pragma pencil independent reduction(+: s)
  for (int i = 0; i < n; i++)
    s += has ? w[i] * x[i] : x[i];
  return s;
}
