/* Rows whose bounds are read where a variable of the iteration says, as two hops in a graph are. */
#include <pencil.h>

void two_hops(int n, int m, const int off[static const restrict n + 1], const int adj[static const restrict m],
              int count[static const restrict n]) {
#pragma scop
    for (int u = 0; u < n; u++) {
        int t = 0;
        for (int e = off[u]; e < off[u + 1]; e++) {
            int a = adj[e];
            for (int h = off[a]; h < off[a + 1]; h++) t += adj[h] > u;
        }
        count[u] = t;
    }
#pragma endscop
}

/* The rows are those where the variables say that there are any. */
long triangles(int n, int m, const int off[static const restrict n + 1], const int adj[static const restrict m]) {
    long t = 0;
#pragma scop
    for (int u = 0; u < n; u++)
        for (int e = off[u]; e < off[u + 1]; e++)
            for (int f = off[u]; f < off[u + 1]; f++) {
                int a = adj[e], b = adj[f];
                if (a >= b) continue;
                for (int h = off[a]; h < off[a + 1]; h++) t += adj[h] == b;
            }
#pragma endscop
    return t / 3;
}

/* In the C of older days; the variable is narrower than what it is given. */
void rows_of_keys(int n, int m, int k, const unsigned key[static const restrict k], const int off[static const restrict 257],
                  const int v[static const restrict m], int sum[static const restrict k]) {
    int i, j, s;
    unsigned char row;
#pragma scop
    for (i = 0; i < k; i++) {
        row = key[i];
        s = n;
        for (j = off[row]; j < off[row + 1]; j++) s += v[j] & 15;
        sum[i] = s;
    }
#pragma endscop
}

/* One that changes, and one of an array that does: these stay one statement each. */
void changed(int n, int m, int next[static const restrict n], const int off[static const restrict n + 1],
             const int v[static const restrict m], int sum[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int a = next[i];
        int s = 0;
        next[i] = 0;
        for (int j = off[a]; j < off[a + 1]; j++) s += v[j] & 7;
        sum[i] = s;
    }
#pragma endscop
}
// sizes: n=1,33 m=0,70 k=0,40
