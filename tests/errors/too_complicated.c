// A subscript of very many cases, which would be compared with each other.
#include <pencil.h>
void f(int n, int m, float a[static const restrict n]) // error[PC0006]: the loops and subscripts of this region make too many cases: more than 10,000,000 steps to analyse them
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[min(i + 0 * m, max(m - 0,
          min(i + 1 * m, max(m - 1,
          min(i + 2 * m, max(m - 2,
          min(i + 3 * m, max(m - 3,
          min(i + 4 * m, max(m - 4,
          min(i + 5 * m, max(m - 5,
          min(i + 6 * m, max(m - 6,
          min(i + 7 * m, max(m - 7,
          min(i + 8 * m, max(m - 8,
          min(i + 9 * m, max(m - 9,
          min(i + 10 * m, max(m - 10,
          min(i + 11 * m, max(m - 11,
          min(i + 12 * m, max(m - 12,
          min(i + 13 * m, max(m - 13,
          min(i + 14 * m, max(m - 14,
          min(i + 15 * m, max(m - 15,
          min(i + 16 * m, max(m - 16,
          min(i + 17 * m, max(m - 17,
          min(i + 18 * m, max(m - 18,
          min(i + 19 * m, max(m - 19,
          min(i + 20 * m, max(m - 20,
          min(i + 21 * m, max(m - 21,
          min(i + 22 * m, max(m - 22,
          min(i + 23 * m, max(m - 23, i))))))))))))))))))))))))))))))))))))))))))))))))] = 1;
#pragma endscop
}
