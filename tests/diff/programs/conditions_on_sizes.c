#include <pencil.h>
// sizes: n=0,1,3,33 m=0,5,40
// Reductions under conditions on sizes; arrays that nobody may read for other sizes are not copied.
int sum(int n, int m, const int a[static const restrict n])
{
  int s = 3;
#pragma scop
  for (int i = 0; i < n; i++)
    if (m > 5) s += a[i];
#pragma endscop
  return s;
}
void rows(int n, int m, const int a[static const restrict n][m], int o[static const restrict n])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    int s = 1;
    for (int j = 0; j < m; j++)
      if (n > 3) s += a[i][j];
    o[i] = s;
  }
#pragma endscop
}
void columns(int n, int m, const int a[static const restrict m], const int b[static const restrict n], int d[static const restrict n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (n > 3 && (a[j] | b[i]) > d[i]) d[i] = a[j] | b[i];
#pragma endscop
}
void bins(int n, int m, const int a[static const restrict n], int d[static const restrict m])
{
#pragma scop
  for (int i = 0; i < n; i++)
    if (m > 5) d[a[i] & 3] += a[i];
#pragma endscop
}
void stitched(int n, int m, const float x[static const restrict n][m], float o[static const restrict n][m])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    float top = -1e30f, s = 0;
    for (int j = 0; j < m; j++) if (n > 3 && x[i][j] > top) top = x[i][j];
    for (int j = 0; j < m; j++) if (n > 3) s += x[i][j] - top;
    for (int j = 0; j < m; j++) if (n > 3) o[i][j] = x[i][j] / (s + 1);
    for (int j = 0; j < m; j++) if (n <= 3) o[i][j] = top;
  }
#pragma endscop
}
