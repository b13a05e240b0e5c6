// A constant in the elements that data choose, some of them several times: marks, what is there, what is struck out.
// sizes: n=0,1,33,1009 m=1,9
#include <pencil.h>

void marks(int n, int m, const int x[static const restrict n], int seen[static const restrict m])
{
#pragma scop
    for (int j = 0; j < m; j++)
        seen[j] = 0;
    for (int i = 0; i < n; i++)
        seen[x[i]] = 1;
#pragma endscop
}
int distinct(int n, int m, const int x[static const restrict n], _Bool seen[static const restrict m])
{
    int c = 0;
#pragma scop
    for (int j = 0; j < m; j++)
        seen[j] = 0;
    for (int i = 0; i < n; i++) {
        int b = x[i];
        seen[b] = 1;
    }
    for (int j = 0; j < m; j++)
        c += seen[j];
#pragma endscop
    return c;
}
void cleared(int n, int m, const int x[static const restrict n], const float y[static const restrict n], float seen[static const restrict m], unsigned char dead[static const restrict m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        dead[x[i]] = 0;
        seen[x[i]] = -1.5f;
    }
#pragma endscop
}
void grid(int n, int m, const int x[static const restrict n], const int y[static const restrict n], int p[static const restrict m][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        p[y[i]][x[i]] = 255;
#pragma endscop
}
