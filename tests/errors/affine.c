// What is not affine, where it matters and where it does not.
#include <pencil.h>

void scatter(int n, const int where[static const restrict n], const float a[static const restrict n],
             float out[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[where[i]] = a[i]; // warning[PC0701]: nothing is parallel here: one GPU thread runs it (subscript of `out` is no sum of counters and sizes times numbers
#pragma endscop
}

void scatter_independent(int n, const int where[static const restrict n], const float a[static const restrict n],
                         float out[static const restrict n])
{
#pragma scop
#pragma pencil independent
    for (int i = 0; i < n; i++)
        out[where[i]] = a[i];
#pragma endscop
}

void gather(int n, const int where[static const restrict n], const float a[static const restrict n],
            float out[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = a[where[i]];
#pragma endscop
}

void two_steps(int n, const int where[static const restrict n], float a[static const restrict n],
               float out[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int i = 0; i < n; i++)
        out[i] = a[where[i]];
#pragma endscop
}

void until(int n, const int last[static const restrict 1], float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < last[0]; i++) // warning[PC0302]: kept sequential: its bound `last[0]` depends on data
        a[i] = a[i] + 1;
#pragma endscop
}

void leave(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) { // warning[PC0302]: kept sequential: `break` may leave it early
        if (a[i] < 0)
            break;
        a[i] = 0;
    }
#pragma endscop
}

void rows(int n, const int start[static const restrict n + 1], float a[static const restrict n], int m,
          const float values[static const restrict m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = start[i]; k < start[i + 1]; k++)
            s = s + values[k];
        a[i] = s;
    }
#pragma endscop
}

// The columns are parallel, the rows are not.
void scatter_rows(int n, int m, const int where[static const restrict n], const float a[static const restrict n][m],
                  float out[static const restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            out[where[i]][j] = a[i][j]; // warning[PC0301]: subscript of `out` is no sum of counters and sizes times numbers
#pragma endscop
}
