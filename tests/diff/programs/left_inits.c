/* What begins a reduction in a loop that data end: the next round would begin it again, and may never come. */
#include <pencil.h>

static void none(unsigned *v) { *v = 0; }
static unsigned add(unsigned a, unsigned b) { return a + b; }

void counted_down(int n, int rounds, const unsigned c[static const restrict n], unsigned h[static const restrict 16]) {
#pragma scop
    int left = rounds;
    while (left > 0) {
        left--;
        for (int k = 0; k < 16; k++) h[k] = 0;
        for (int i = 0; i < n; i++) h[i & 7] += c[i];
    }
#pragma endscop
}

void left_behind(int n, const unsigned c[static const restrict n], unsigned g[static const restrict n],
                 const int k[static const restrict n]) {
#pragma scop
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < n; i++) g[i] = 0;
        for (int i = 0; i < n; i++) g[i / 2] += c[i];
        if (k[t] > 0) break;
    }
#pragma endscop
}

void left_between(int n, const unsigned c[static const restrict n], unsigned g[static const restrict n],
                  const int k[static const restrict n]) {
#pragma scop
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < n; i++) g[i] = 0;
        if (k[t] > 2) break;
        for (int i = 0; i < n; i++) g[i / 2] += c[i];
    }
#pragma endscop
}

/* The condition of the loop is asked before each round. */
void while_small(int n, const unsigned c[static const restrict n], unsigned g[static const restrict n + 1],
                 const int k[static const restrict n]) {
#pragma scop
    for (int t = 0; t < n && k[t] < 3; t++) {
        for (int i = 0; i <= n; i++) __pencil_reduction_var_init(&g[i], none);
        for (int i = 0; i < n; i++) __pencil_reduction(&g[i / 2], c[i] + t, add);
    }
#pragma endscop
}

/* Of a sum and of what a later loop writes over, certainly or not. */
void flagged(int n, const unsigned c[static const restrict n], unsigned g[static const restrict n],
             unsigned total[static const restrict n]) {
#pragma scop
    int go = 1;
    unsigned s = 0;
    while (go) {
        for (int i = 0; i < n; i++) total[i] = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 3; j++) total[i] += c[(i + j) % n];
        s = 0;
        for (int i = 0; i < n; i++) s += total[i] & 3;
        go = s % 3 == 1 && g[0] < 5;
        for (int i = 0; i < n; i++) g[i] += s & 7;
        if (g[0] > 9) break;
        for (int i = 0; i < n; i++) total[i] = g[i];
    }
    for (int i = 0; i < n; i++) g[i] += total[i];
#pragma endscop
}
// sizes: n=1,2,33,70 rounds=0,1,3
