// sizes: n=0,1,31,60 m=0,1,9
// Loops that step their counter in the condition, and counters whose last value only the run tells.
#include <pencil.h>
#include <stddef.h>
#include <stdint.h>
static int last(int n, const int a[n]) { int i; for (i = n; i-- > 0;) if (a[i] > 0) return i; return i; }
static int down(int n, const int a[n]) { int s = 0; for (unsigned i = n; i-- > 0;) s = s * 3 + a[i]; return s; }
void f(int n, const int a[static const restrict n], int o[static const restrict n], int p[static const restrict n], int q[static const restrict n], int r[static const restrict n], int e[static const restrict 12])
{
#pragma scop
  int i, k;
  size_t u;
  uint8_t c;
  for (i = n; i-- > 0;) o[i] = a[i] + i;
  e[0] = i;
  for (size_t j = n; j-- > 0;) p[j] = a[j] * 2 + (int)j;
  for (i = -1; ++i < n;) q[i] = a[i] - i;
  e[1] = i;
  for (int j = n; j--;) r[j] = a[j];
  for (u = (size_t)n; 0 < u--;) r[u] += 3;
  e[2] = (int)u;
  for (i = n; i-- > 0 && a[i] <= 5;) r[i] += 100;
  e[3] = i;
  for (u = (size_t)n; u-- > 0 && a[u] <= 5;) r[u] += 1000;
  e[4] = (int)u;
  e[5] = last(n, a);
  e[6] = down(n, a);
  for (i = n; --i >= 0;) o[i] += 7;
  e[7] = i;
  for (k = 0; k++ < n;) o[k - 1] += k;
  e[8] = k;
  for (c = 10; c-- > 3;) e[9] = c;
  e[10] = c;
  for (unsigned j = 0; j++ < (unsigned)n;) q[j - 1] += (int)j;
  e[11] = 0;
#pragma endscop
}

void searched(int n, unsigned m, const int a[static const restrict n], int o[static const restrict 16])
{
#pragma scop
  int i; unsigned u; unsigned char c; long l; 
  for (i = 0; i < n; i++) if (a[i] > 5) break;
  o[0] = i;
  for (i = 0; i < n && a[i] < 6; i += 2) ;
  o[1] = i;
  for (u = 0; u < m; u++) o[2] = (int)u;
  o[3] = (int)u;
  for (u = 1; u <= m; u += 3) o[4] += (int)u;
  o[5] = (int)u;
  for (i = n - 1; i >= 0; i -= 2) { if (a[i] % 2) continue; if (a[i] == 4) break; o[6] += a[i]; }
  o[7] = i;
  for (c = 3; c < 17; c = c + 5) o[8] += c;
  o[9] = c;
  int k = n;
  for (l = 0; l < k; l++) { if (a[l] > 3) k--; }
  o[10] = (int)l; o[11] = k;
  for (u = m; u > 3; u -= 2) o[12] += (int)u;
  o[13] = (int)u;
#pragma endscop
}
