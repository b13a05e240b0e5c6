// Local arrays of run-time extent that are stored to and never read: nothing of them is generated, storage included.
// sizes: n=0,1,33 m=1,34
#include <pencil.h>

void unread(int n, const int x[static const restrict n], int y[static const restrict n]) {
#pragma scop
    int t[n];
    for (int i = 0; i < n; i++) t[i] = x[i];
    for (int i = 0; i < n; i++) y[i] = i;
#pragma endscop
}

void overwritten(int n, int m, const int x[static const restrict n][m], int y[static const restrict n]) {
#pragma scop
    __pencil_assume(m > 0);
    int t[n][m], u[n];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) t[i][j] = x[i][j] * 3;
        u[i] = t[i][0];
        y[i] = x[i][0];
    }
    for (int i = 0; i < n; i++) u[i] = u[i] + y[i];
#pragma endscop
}

// Helpers with variables that nothing reads: nvcc warns of one that is left.
typedef struct { int first, second; } pair;
static int stepped(int *p) { *p += 3; return 1; }
static int plain(int k, int unused)
{
    int dead, set, sum = 0, many[4] = { 1, 2 }, from = k, to;
    if (k) { float inner = 3; }
    set = k;
    to = from;
    sum++;
    many[k & 3] = set;
    pair s, t = { 1, 2 };
    s.first = k;
    return k + 1;
}
static int acting(int k)
{
    int at = k, many[9];
    int dead = 1 + stepped(&at), both = k > 4 && stepped(&at), one = k & 1 ? stepped(&at) : 2;
    int either;
    either = k < 9 || stepped(&at);
    many[stepped(&at)] = 2;
    for (int i = 0; i < k; i++) dead += i;
    return at;
}
void with_helpers(int n, int out[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = plain(i, 2) + acting(i);
#pragma endscop
}
