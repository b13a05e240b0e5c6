// Rows whose elements are written once more in another place, by a later walk or behind it: these stay apart, since
// the threads of a row do not wait for each other between walks that reduce nothing.
// sizes: n=0,1,5,140 m=1,7,140
#include <pencil.h>

void last(int n, int m, const int x[static const restrict n][m], int y[static const restrict n][m]) {
#pragma scop
    __pencil_assume(m > 0);
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int j = 0; j < m; j++) s += x[i][j];
        for (int j = 0; j < m; j++) y[i][j] = x[i][j] * s;
        y[i][m - 1] = s;
    }
#pragma endscop
}

// What the row writes is not what its elements write: one kernel but for the middle.
void beside(int n, int m, const int x[static const restrict n][m], int y[static const restrict n][m]) {
#pragma scop
    __pencil_assume(m > 0);
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int j = 0; j < m; j++) s += x[i][j];
        y[i][m - 1] = s;
        for (int j = 0; j < m - 1; j++) y[i][j] = x[i][j] * s;
        y[i][m / 2] = s + 1;
    }
#pragma endscop
}

void before(int n, int m, const int x[static const restrict n][m], int y[static const restrict n][m],
            int u[static const restrict n]) {
#pragma scop
    __pencil_assume(m > 0);
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int j = 0; j < m; j++) s += x[i][j];
        y[i][m - 1] = s;
        for (int j = 0; j < m; j++) y[i][j] = x[i][j] * s;
        for (int j = 0; j < m; j++)
            if (j == m / 2) u[i] = x[i][j] * s;
        if (s > 0) u[i] = s;
    }
#pragma endscop
}

void reversed(int n, int m, const int x[static const restrict n][m], int y[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int j = 0; j < m; j++) s += x[i][j];
        for (int j = 0; j < m; j++) y[i][j] = x[i][j] * s;
        for (int j = 0; j < m; j++)
            if (x[i][j] > 0) y[i][m - 1 - j] = s;
    }
#pragma endscop
}

void shifted(int n, int m, const int x[static const restrict n][m], int y[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int j = 1; j < m; j++) s += x[i][j];
        for (int j = 1; j < m; j++) y[i][j] = x[i][j] * s;
        for (int j = 1; j < m; j++)
            if (x[i][j] > 0) y[i][j - 1] = s;
    }
#pragma endscop
}

// Columns, and all elements.
void columns(int n, int m, const int x[static const restrict n][m], int y[static const restrict n + 1][m]) {
#pragma scop
    for (int j = 0; j < m; j++) {
        int s = 0;
        for (int i = 0; i < n; i++) s += x[i][j];
        for (int i = 0; i < n; i++) y[i + 1][j] = x[i][j] * s;
        for (int i = 0; i < n; i++)
            if (x[i][j] > 0) y[i][j] = s;
    }
#pragma endscop
}

void whole(int n, const int u[static const restrict n], int v[static const restrict n + 1]) {
#pragma scop
    int s = 0;
    for (int i = 0; i < n; i++) s += u[i];
    for (int i = 0; i < n; i++) v[i] = u[i] * s;
    v[n / 2] = s;
#pragma endscop
}
