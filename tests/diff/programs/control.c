// sizes: n=0,1,33,300 m=0,1,40
// Data-dependent control flow inside one statement or helper.
#include <pencil.h>

void first_large(int n, int m, const int a[static const restrict n][m], int b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] = -1;
        for (int j = 0; j < m; j++) {
            if (a[i][j] > 2) { b[i] = j; break; }
        }
    }
#pragma endscop
}

void skipping(int n, int m, const int a[static const restrict n][m], int b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int c = 0;
        for (int j = 0; j < m; j++) {
            if (a[i][j] < 0) continue;
            if (a[i][j] > 6) break;
            c += a[i][j];
        }
        b[i] = c;
    }
#pragma endscop
}

void shifting(int n, const int a[static const restrict n], int b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int x = a[i] & 1023, c = 0;
        do { x >>= 1; c++; if (c == 3) continue; if (c > 8) break; } while (x);
        b[i] = c;
    }
#pragma endscop
}

void halving(int n, const float a[static const restrict n], int b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float x = a[i];
        int c = 0;
        while (x > 1.0f && c < 100) { x = x * 0.5f; c++; }
        b[i] = c;
    }
#pragma endscop
}

static int find(int n, const int a[static const restrict n], int x) {
    for (int i = 0; i < n; i++)
        if (a[i] == x) return i;
    return -1;
}
static int steps(int x) {
    int c = 0;
    while (x != 1) {
        if (x % 2) x = 3 * x + 1; else x /= 2;
        c++;
        if (c > 50) break;
    }
    return c;
}
void searching(int n, const int a[static const restrict 16], int b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) b[i] = find(16, a, i % 7) + steps(i + 1);
#pragma endscop
}

void conditional(int n, const float a[static const restrict n], float b[static const restrict n], int c[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] > 1) { b[i] = a[i]; c[i] = 1; }
        else if (a[i] < -1 && i > 3) c[i] = 2;
        else { float t = a[i] * 2; b[i] = t * t; }
    }
#pragma endscop
}

void sparse_rows(int n, const int r[static const restrict n + 1], int m, const float v[static const restrict m], float y[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = r[i]; k < r[i + 1]; k++) if (k >= 0 && k < m) s += v[k];
        y[i] = s;
    }
#pragma endscop
}

// What a `continue` skips is parallel and is reduced all the same.
void skipped(int n, int m, const int a[static const restrict n][m], int b[static const restrict n],
             int count[static const restrict 2])
{
#pragma scop
    int kept = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        b[i] = -1;
        if (i % 3 == 1) continue;
        int row = 0;
        for (int j = 0; j < m; j++) {
            if (a[i][j] == 7) continue;
            if (a[i][j] < 0) {
                if (a[i][j] & 1) continue;
                row++;
            } else if (j == 3) {
                continue;
            }
            row += a[i][j];
        }
        if (row > 100) {
            b[i] = 100;
            if (row & 1) continue;
        }
        kept++;
        sum += row;
        switch (row & 3) {
        case 0: continue;
        case 1: b[i] = row; break;
        default: b[i] = i;
        }
        b[i] += 5;
    }
    count[0] = kept;
    count[1] = sum;
#pragma endscop
}

// A condition on data around whole loops: what is inside is parallel all the same.
void around_loops(int n, int m, const int flag[static const restrict 4], float x[static const restrict n], float y[static const restrict n][m], float z[static const restrict n])
{
#pragma scop
    if (flag[0] > 0) {
        for (int i = 0; i < n; i++)
            x[i] = 2.0f * x[i] + 1.0f;
    } else {
        for (int i = 0; i < n; i++)
            x[i] = -x[i];
        for (int i = 0; i < n; i++)
            z[i] = x[i] + 3.0f;
    }
    if (flag[1] & 1)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                y[i][j] = y[i][j] * x[i];
    if (flag[2] && n > 4)
        for (int i = 1; i < n; i++)
            z[i] += z[i - 1];
#pragma endscop
}
