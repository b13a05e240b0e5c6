// sizes: n=0,1,33,70 m=0,1,5
// `continue` behind conditions on data, and conditions on data around loops.
#include <pencil.h>
void f(int n, int m, const int a[static const restrict n], int o[static const restrict n], int p[static const restrict n], int q[static const restrict n], int s[static const restrict 4])
{
#pragma scop
  for (int i = 0; i < n; i++) { if (a[i] < 0) continue; o[i] = a[i]; }
  for (int i = 0; i < n; i++) {
    if (a[i] > 5) { p[i] = 1; continue; }
    int t = a[i] * 2;
    if (t == 4) continue;
    else p[i] = t;
    p[i] += 3;
  }
  for (int i = 0; i < n; i++) {
    if (a[i] > 2) q[i] = 7;
    else if (a[i] > 0) continue;
    else { q[i] = 8; continue; }
    q[i]++;
  }
  for (int i = 0; i < n; i++) {
    if (a[i] > 0) { if (a[i] == 3) continue; q[i] += 10; }
    q[i] += 100;
  }
  s[0] = 0;
  for (int i = 0; i < n; i++) {
    if (a[i] == 1) continue;
    for (int j = 0; j < m; j++) { if (j == a[i]) continue; s[0] += j; }
  }
  s[1] = s[0] % 2;
  if (s[1] > 0)
    for (int i = 0; i < n; i++) o[i] += s[1];
  if (s[0] > m) {
    for (int i = 0; i < n; i++) { if (a[i] == 2) continue; p[i]--; }
    for (int i = 0; i < n; i++) o[i] ^= p[i];
  }
  if (s[1] == 0)
    for (int i = 0; i < n; i++) s[1] = a[i];
  s[2] = 0;
  int k;
  for (k = 0; k < n; k++) { if (a[k] > 1) continue; s[2] += a[k]; }
  s[3] = k;
  int u, v;  // declared in front of loops that are left early
  for (u = 0; u < n; u++) {
    for (v = 0; v < m; v++) { if (a[u] == v) break; s[2] += 2; }
    for (v = 0; v < m; v++) s[2] += v;
  }
#pragma endscop
}
