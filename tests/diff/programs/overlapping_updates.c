// sizes: n=0,1,33 m=1,5,40
// Updates of elements that some updates share and others do not, and subscripts that fold their counter.
#include <pencil.h>

void g1(int n, const int a[static const restrict n], int b[static const restrict n])
{
#pragma scop
#pragma pencil independent reduction(+: b)
  for (int i = 0; i < n; i++) b[(i * 7) % n] += a[i];
#pragma endscop
}
void g2(int n, int m, const int a[static const restrict n], const int p[static const restrict n], int b[static const restrict m])
{
#pragma scop
#pragma pencil independent reduction(+: b)
  for (int i = 0; i < n; i++) b[p[i]] += a[i];
#pragma endscop
}
void g3(int n, int m, const int a[static const restrict n][m],  int b[static const restrict m])
{
#pragma scop
#pragma pencil independent reduction(+: b)
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[j] += a[i][j];
#pragma endscop
}
void g4(int n, int m, const float a[static const restrict n], const int p[static const restrict n], float b[static const restrict m][4])
{
#pragma scop
#pragma pencil independent reduction(+: b)
  for (int i = 0; i < n; i++) { int k = p[i]; float w = a[i] * 2; b[k][i % 4] += w; b[k][1] += 1; }
#pragma endscop
}


void h1(int n, int m, const int a[static const restrict n][m], int b[static const restrict m])
{
#pragma scop
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { b[j] += a[i][j]; b[0] += 1; }
#pragma endscop
}
void h2(int n, int m, const int a[static const restrict n][m], int b[static const restrict m + 1])
{
#pragma scop
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { b[j] += a[i][j]; b[j + 1] += 2; }
#pragma endscop
}
void h3(int n, int m, const int a[static const restrict n], const int p[static const restrict n], int b[static const restrict m][4])
{
#pragma scop
  for (int i = 0; i < n; i++) { b[p[i]][i % 4] += a[i]; b[p[i]][1] += 2; }
#pragma endscop
}
void h4(int n, int m, const int a[static const restrict n], const int p[static const restrict n], int b[static const restrict m])
{
#pragma scop
  __pencil_assume(m > 0);
  for (int i = 0; i < n; i++) { b[p[i]] += a[i]; b[0] += 2; }
#pragma endscop
}
void h5(int n, const int a[static const restrict n], int b[static const restrict 8])
{
#pragma scop
  for (int i = 0; i < n; i++) { b[i % 8] += a[i]; b[(i + 1) / 3 % 8] += 5; }
#pragma endscop
}
void h6(int n, const int a[static const restrict n], int b[static const restrict 8])
{
#pragma scop
  for (int i = 0; i < n; i++) b[i & 7] |= a[i];
#pragma endscop
}
void h7(int n, const int a[static const restrict n], int b[static const restrict n], int c[static const restrict 2 * n])
{
#pragma scop
  for (int i = 0; i < n; i++) b[i / 2] += a[i];
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) c[i + j] += a[i] * a[j];
#pragma endscop
}
void h8(int n, int c[static const restrict 80][4])
{
#pragma scop
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 5; j++) c[j][j % 4] += j | (2 ^ i);
    for (int j = 1; j < n; j += 2) c[i][i % 3 % 4]++;
  }
#pragma endscop
}
void h9(int n, int m, const int a[static const restrict n], int b[static const restrict n + 8])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 5; j++)
      for (int k = 1; k < m; k++) b[i + j] += (2 - k) ^ a[i];
#pragma endscop
}
