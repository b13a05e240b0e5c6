// Planes of an array, in turns or by number, in a loop over time, as people write them: launches of several iterations.
// sizes: n=2,3,33,70 m=40 steps=0,1,2,5,14 first=0,1,3
#include <pencil.h>

// The heat equation of Pluto's examples.
void heat(int n, int m, int steps, float u[static const restrict 2][n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[(t + 1) % 2][i][j] = 0.125f * (u[t % 2][i + 1][j] - 2.0f * u[t % 2][i][j] + u[t % 2][i - 1][j])
                    + 0.125f * (u[t % 2][i][j + 1] - 2.0f * u[t % 2][i][j] + u[t % 2][i][j - 1]) + u[t % 2][i][j];
#pragma endscop
}

// Neighbours on three sides: what blocks fetch begins before what the source reads.
void upwind(int n, int m, int steps, float u[static const restrict 2][n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[(t + 1) % 2][i][j] = u[t % 2][i - 1][j] + u[t % 2][i + 1][j] + u[t % 2][i][j - 1];
#pragma endscop
}

// A number that goes to and fro; the last plane is read behind the loop.
void to_and_fro(int n, int m, int steps, int u[static const restrict 2][n][m], int last[static const restrict n][m])
{
#pragma scop
    int p = 0;
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m - 1; j++)
                u[1 - p][i][j] = u[p][i][j] ^ (3 * u[p][i][j + 1]);
        p = 1 - p;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            last[i][j] = u[p][i][j];
#pragma endscop
}

// The wave equation in two planes: what is overwritten is read before.
void wave(int n, int m, int steps, double u[static const restrict 2][n][m])
{
#pragma scop
    for (int t = 1; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[(t + 1) % 2][i][j] = 1.75 * u[t % 2][i][j] - u[(t - 1) % 2][i][j]
                    + 0.0625 * (u[t % 2][i + 1][j] + u[t % 2][i - 1][j] + u[t % 2][i][j + 1] + u[t % 2][i][j - 1]);
#pragma endscop
}

// The same in three planes, from any iteration on.
void wave_of_three(int n, int m, int steps, int first, int u[static const restrict 3][n][m])
{
    __pencil_assume(first >= 0);
#pragma scop
    for (int t = first; t < first + steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[(t + 2) % 3][i][j] = (u[(t + 1) % 3][i + 1][j] ^ u[(t + 1) % 3][i][j - 1]) + 5 * u[t % 3][i][j];
#pragma endscop
}

// A line, with remainders by bits; with values at its ends that are others in each iteration it has no tiles.
void line(int n, int steps, int u[static const restrict 2][n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            u[(t + 1) & 1][i] = 3 * u[t & 1][i - 1] + u[t & 1][i + 1];
#pragma endscop
}

void ends(int n, int steps, int u[static const restrict 2][n], const int source[static const restrict steps])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            u[(t + 1) % 2][i] = 3 * u[t % 2][i - 1] + u[t % 2][i + 1];
        u[(t + 1) % 2][0] = source[t];
        u[(t + 1) % 2][n - 1] = u[(t + 1) % 2][n - 2] + 1;
    }
#pragma endscop
}

// Beside an array that has no planes, through which what a plane has gets to the other one; edges that follow.
void beside(int n, int m, int steps, int u[static const restrict 2][n][m], int v[static const restrict n][m])
{
    __pencil_assume(n > 1);
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                v[i][j] = v[i][j] * 3 + u[t % 2][i + 1][j] - u[t % 2][i][j + 1];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[(t + 1) % 2][i][j] = u[t % 2][i][j] + v[i - 1][j] * v[i][j - 1];
        for (int j = 0; j < m - 1; j++)
            u[(t + 1) % 2][0][j] = u[(t + 1) % 2][1][j];
    }
#pragma endscop
}

// A block of metal.
void metal(int n, int steps, float u[static const restrict 2][n][n][n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    u[(t + 1) % 2][i][j][k] = 0.4f * u[t % 2][i][j][k]
                        + 0.1f * (u[t % 2][i - 1][j][k] + u[t % 2][i + 1][j][k] + u[t % 2][i][j - 1][k]
                                  + u[t % 2][i][j + 1][k] + u[t % 2][i][j][k - 1] + u[t % 2][i][j][k + 1]);
#pragma endscop
}

// Data decide which elements are written: the others keep what they had two iterations before.
void now_and_then(int n, int m, int steps, int u[static const restrict 2][n][m],
                  const int mask[static const restrict n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                if (mask[i][j] & 1)
                    u[(t + 1) % 2][i][j] = u[t % 2][i - 1][j] + 7 * u[t % 2][i][j + 1];
#pragma endscop
}

// Planes by number, one of which nobody writes.
void by_number(int n, int m, int steps, int u[static const restrict 3][n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[1][i][j] = u[0][i - 1][j] + 7 * u[0][i][j + 1];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[0][i][j] = u[1][i][j] ^ u[2][i][j];
    }
#pragma endscop
}

// Two arrays with planes, one of which is read beside where the same iteration has written it.
void two_arrays(int n, int steps, int u[static const restrict 2][n], int v[static const restrict 2][n])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            u[(t + 1) % 2][i] = u[t % 2][i + 1] + v[t % 2][i];
        for (int i = 1; i < n - 1; i++)
            v[(t + 1) % 2][i] = u[(t + 1) % 2][i - 1];
    }
#pragma endscop
}

// Of three planes that nobody has begun each is written before it is read.
void not_begun(int n, int m, int steps, const unsigned in[static const restrict n][m],
               unsigned out[static const restrict n][m])
{
#pragma scop
    unsigned u[3][n][m];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            u[0][i][j] = in[i][j];
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m - 1; j++)
                u[(t + 1) % 3][i][j] = u[t % 3][i][j + 1];
        for (int i = 0; i < n; i++)
            u[(t + 1) % 3][i][m - 1] = u[t % 3][i][m - 1];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            out[i][j] = u[steps % 3][i][j];
#pragma endscop
}
