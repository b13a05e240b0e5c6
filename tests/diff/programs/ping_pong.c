// Two halves of one array, of which each step reads one and writes the other: which of them, the counter of the steps says,
// or an integer that goes to and fro.
// sizes: steps=0,1,2,5 n=2,3,19,40 planes=1,6 rounds=0,2
#include <pencil.h>
#include <stdbool.h>

#define FIVE(now, i, j) \
    (0.5f * now[i][j] + 0.125f * (now[(i) - 1][j] + now[(i) + 1][j] + now[i][(j) - 1] + now[i][(j) + 1]))
#define INSIDE for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)

void by_counter(int steps, int n, float u[static const restrict 2][n][n]) {
#pragma scop
    for (int t = 0; t < steps; t++)
        INSIDE u[(t + 1) % 2][i][j] = FIVE(u[t % 2], i, j);
#pragma endscop
}

void by_name(int steps, int n, float u[static const restrict 2][n][n]) {
#pragma scop
    for (int t = 1; t <= steps; t++) {
        int now = (t - 1) & 1, next = 1 - now;
        INSIDE u[next][i][j] = FIVE(u[now], i, j);
    }
#pragma endscop
}

// The half with the result is asked for behind the loop.
void by_toggle(int steps, int n, float u[static const restrict 2][n][n], float out[static const restrict n][n]) {
#pragma scop
    int p = 0;
    for (int t = 0; t < steps; t++) {
        INSIDE u[1 - p][i][j] = FIVE(u[p], i, j);
        p = 1 - p;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[i][j] = u[p][i][j];
#pragma endscop
}

// Downwards, and toggled in front of what it says.
void by_bit(int steps, int n, float u[static const restrict 2][n][n], int last[static const restrict 2]) {
#pragma scop
    unsigned p = 1;
    for (int t = steps; t > 0; t--) {
        p ^= 1;
        INSIDE u[!p][i][j] = FIVE(u[p], i, j);
    }
    last[0] = (int)p;
    // The same again, from what it was before.
    p = 0;
    for (int t = 3; t <= steps; t++)
        p = (p + 1) % 2;
    last[1] = (int)p;
#pragma endscop
}

void by_truth(int steps, int n, float u[static const restrict 2][n][n], int is_odd[static const restrict 1]) {
#pragma scop
    bool odd = false;
    for (int t = 0; t < steps; t++) {
        INSIDE u[odd ? 0 : 1][i][j] = FIVE(u[odd], i, j);
        odd = !odd;
    }
    is_odd[0] = odd;
#pragma endscop
}

// Two that are exchanged.
void by_exchange(int steps, int n, float u[static const restrict 2][n][n], int ends[static const restrict 2]) {
#pragma scop
    int now = 0, next = 1;
    for (int t = 0; t < steps; t++) {
        INSIDE u[next][i][j] = FIVE(u[now], i, j);
        int swap = now;
        now = next;
        next = swap;
    }
    ends[0] = now;
    ends[1] = next;
#pragma endscop
}

// In each round from the first half on.
void in_rounds(int rounds, int steps, int n, float u[static const restrict 2][n][n],
               float best[static const restrict rounds]) {
#pragma scop
    for (int r = 0; r < rounds; r++) {
        int p = 0;
        for (int t = 0; t < steps; t++) {
            INSIDE u[1 - p][i][j] = FIVE(u[p], i, j);
            p = !p;
        }
        best[r] = u[p][n / 2][n / 2];
    }
#pragma endscop
}

// No halves: each step has a plane of its own, and in one kernel a value is read that the same step writes.
void every_step(int planes, int n, float u[static const restrict planes][n][n]) {
#pragma scop
    for (int t = 0; t < planes - 1; t++)
        INSIDE u[t + 1][i][j] = FIVE(u[t], i, j);
#pragma endscop
}

void cubes(int steps, int n, double u[static const restrict 2][n][n][n]) {
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int k = 1; k < n - 1; k++)
            INSIDE u[(t + 1) % 2][k][i][j] = u[t % 2][k][i][j] + 0.1 * (u[t % 2][k - 1][i][j] + u[t % 2][k + 1][i][j]
                + u[t % 2][k][i - 1][j] + u[t % 2][k][i + 1][j] + u[t % 2][k][i][j - 1] + u[t % 2][k][i][j + 1]);
#pragma endscop
}

// It goes to and fro, but not in each iteration.
void at_times(int steps, int n, const int go[static const restrict steps], float u[static const restrict 2][n][n]) {
#pragma scop
    int p = 0;
    for (int t = 0; t < steps; t++) {
        INSIDE u[1 - p][i][j] = FIVE(u[p], i, j);
        if (go[t] > 0)
            p = 1 - p;
    }
#pragma endscop
}

// Three planes that take turns.
void waves(int steps, int n, float u[static const restrict 3][n][n]) {
#pragma scop
    for (int t = 1; t <= steps; t++)
        INSIDE u[(t + 1) % 3][i][j] = FIVE(u[t % 3], i, j) - 0.5f * u[(t - 1) % 3][i][j];
#pragma endscop
}

// What comes next has a name; of the plane that is written each point reads its own value.
void turns(int steps, int n, float u[static const restrict 2][n][n]) {
#pragma scop
    int now = 0;
    for (int t = 0; t < steps; t++) {
        int next = 1 - now;
        INSIDE u[next][i][j] = FIVE(u[now], i, j) - 0.25f * u[next][i][j];
        now = next;
    }
#pragma endscop
}
