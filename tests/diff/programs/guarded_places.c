// The best of those that a condition leaves, of which only the place is kept: nothing is read where all are left out.
// sizes: n=0,1,33,300
#include <pencil.h>
int open_ones(int n, const unsigned char in[static const restrict n], const int key[static const restrict n]) {
    int u = -1;
#pragma scop
    for (int i = 0; i < n; i++)
        if (!in[i] && (u < 0 || key[i] < key[u])) u = i;
#pragma endscop
    return u;
}
int eq(int n, const unsigned char in[static const restrict n], const float key[static const restrict n]) {
    int u = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (key[i] > key[u] && in[i] > 100) u = i;
#pragma endscop
    return u;
}
int given(int n, int u, const unsigned char in[static const restrict n], const int key[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        if (in[i] == 77 && key[i] < key[u]) u = i;
#pragma endscop
    return u;
}
int cont(int n, const unsigned char in[static const restrict n], const int key[static const restrict n]) {
    int u = -1;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (in[i] & 1) continue;
        if (u == -1 || key[i] < key[u]) u = i;
    }
#pragma endscop
    return u;
}
void prim(int n, const int g[static const restrict n][n], unsigned char in[static const restrict n], int key[static const restrict n], int parent[static const restrict n]) {
#pragma scop
    for (int c = 0; c < n; c++) {
        int u = -1;
        for (int i = 0; i < n; i++)
            if (!in[i] && (u == -1 || key[i] < key[u])) u = i;
        if (u >= 0) {
            in[u] = 1;
            for (int v = 0; v < n; v++)
                if (g[u][v] > 0 && !in[v] && g[u][v] < key[v]) {
                    key[v] = g[u][v];
                    parent[v] = u;
                }
        }
    }
#pragma endscop
}
