// What each point of a triangle has by itself, beside a product: tiles have points that the source has not.
// sizes: n=3,18,33 p=40
#include <pencil.h>

void before(int n, int p, const unsigned x[static const restrict n][p], unsigned c[static const restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            unsigned s = 0;
            int l = 0;
            for (int k = i + j; k < 5; k++)
                s += x[i][k];
            l = i + j < 5 ? 5 : i + j;
            for (int k = 0; k < p; k++)
                s += x[i][k] * x[j][k] * l;
            c[i][j] = s;
        }
#pragma endscop
}

// A counter that is read behind its loop, as C89 has it.
void counter(int n, int p, const unsigned x[static const restrict n][p], unsigned c[static const restrict n][n])
{
    int i, j, k, l;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = i; j < n; j++) {
            unsigned s = 0;
            for (l = i + j; l < 5; l++)
                s += x[i][l];
            for (k = 0; k < p; k++)
                s += x[i][k] * x[j][k] * l;
            c[i][j] = s;
        }
#pragma endscop
}

// A weight of the point that another loop has made; one of the row alone.
void weighted(int n, int p, const float x[static const restrict n][p], float c[static const restrict n][n])
{
#pragma scop
    float of_point[n][n], of_row[n];
    for (int i = 0; i < n; i++) {
        of_row[i] = x[i][0];
        for (int j = 0; j < i; j++)
            of_point[i][j] = x[i][1] + x[j][2];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            float s = 0;
            for (int k = 0; k < p; k++)
                s += x[i][k] * x[j][k] * of_point[i][j] + of_row[i];
            c[i][j] = s;
        }
#pragma endscop
}
