/* Loops that data end in loops that count: on the host both, or in each thread where the outer one is parallel. */
// sizes: n=0,1,2,9,33 steps=0,1,3
#include <math.h>
#include <pencil.h>

/* A solver in each step of time. */
void in_time(int steps, int n, float x[restrict const static n], float y[restrict const static n],
             float history[restrict const static steps]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        float err = 1.0f;
        int rounds = 0;
        while (err > 0.05f && rounds < 9) {
            for (int i = 1; i < n - 1; i++)
                y[i] = 0.5f * (x[i - 1] + x[i + 1]);
            err = 0.0f;
            for (int i = 1; i < n - 1; i++)
                err = fmaxf(err, fabsf(y[i] - x[i]));
            for (int i = 1; i < n - 1; i++)
                x[i] = y[i];
            rounds++;
        }
        history[t] = err;
        for (int i = 0; i < n; i++)
            x[i] = x[i] + (float)(t + rounds);
    }
#pragma endscop
}
/* Two of them in a step, downwards, one left in its middle. */
void two(int steps, int n, int x[restrict const static n], int y[restrict const static n]) {
#pragma scop
    for (int t = steps - 1; t >= 0; t--) {
        for (int k = 1; k < n; k *= 2) {
            for (int i = 0; i < n; i++)
                y[i] = i >= k ? x[i] + x[i - k] : x[i];
            for (int i = 0; i < n; i++)
                x[i] = y[i] % 100;
        }
        for (int k = 0; k < 7; k++) {
            for (int i = 0; i < n; i++)
                x[i] = x[i] + k;
            if (n > 0 && x[0] % 5 == t)
                break;
            for (int i = 0; i < n; i++)
                y[i] = y[i] + x[i] / 2;
        }
    }
#pragma endscop
}
/* Each element has a loop of its own: these are dealt out. */
void each(int n, float x[restrict const static n], int count[restrict const static n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int rounds = 0;
        while (x[i] > 0.25f && rounds < 40) {
            for (int k = 0; k < n; k++)
                x[i] = x[i] * 0.99f;
            rounds++;
        }
        count[i] = rounds;
    }
#pragma endscop
}
/* Rows of their own beside a loop of the region that data end. */
void beside(int steps, int n, float x[restrict const static n][n], float s[restrict const static 1]) {
#pragma scop
    while (s[0] < (float)steps) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                x[i][j] = x[i][j] * 0.5f;
        s[0] = s[0] + 1.0f;
    }
    for (int i = 0; i < n; i++)
        for (int k = 1; k < n; k *= 2)
            for (int j = n - 1; j >= k; j--)
                x[i][j] = x[i][j] + x[i][j - k];
#pragma endscop
}
/* Three deep: a loop that counts in one that data end in one that counts. */
void deep(int steps, int n, int x[restrict const static n], int go[restrict const static 1]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        go[0] = 3;
        while (go[0] > 0) {
            for (int u = 0; u < 2; u++) {
                int left = 2;
                do {
                    for (int i = 0; i < n; i++)
                        x[i] = (x[i] * 3 + t + u) % 1000;
                    left--;
                } while (left > u);
            }
            go[0] = go[0] - 1;
        }
    }
#pragma endscop
}
