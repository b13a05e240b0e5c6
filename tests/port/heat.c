#include <stdio.h>

#define N 64
#define STEPS 10

static double plate[N][N], next[N][N];

/* One step of Jacobi's; returns the largest change. */
static double relax(double (*to)[N], double (*from)[N])
{
    double change = 0.0;
    for (int i = 1; i < N - 1; i++) {
        double *row = to[i];
        for (int j = 1; j < N - 1; j++) {
            row[j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
            double moved = row[j] - from[i][j];
            if (moved < 0) moved = -moved;
            if (moved > change) change = moved;
        }
    }
    return change;
}

int main(void)
{
    for (int j = 0; j < N; j++)
        plate[0][j] = next[0][j] = 100.0;
    double change = 0.0;
    for (int step = 0; step < STEPS; step++)
        change = step % 2 ? relax(plate, next) : relax(next, plate);
    printf("%.6f %.6f\n", change, plate[1][N / 2]);
    return 0;
}
