// sizes: n=0,1,33 m=1,5
// What is killed is neither copied in nor out, and what is not killed for certain is.
#include <pencil.h>
struct P { int lo, hi; };
struct Q { int lo[4]; int hi; };
void whole(int n, const int a[static const restrict n], int t[static const restrict n]) {
#pragma scop
    __pencil_kill(t);
    for (int i = 0; i < n; i++) if (a[i] > 0) t[i] = a[i];
#pragma endscop
}
void each(int n, const int a[static const restrict n], int t[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        __pencil_kill(t[i]);
        if (a[i] > 0) t[i] = a[i];
    }
#pragma endscop
}
void own_loop(int n, const int a[static const restrict n], int t[static const restrict n]) {
#pragma scop
    for (int k = 0; k < n; k++) __pencil_kill(t[k]);
    for (int i = 0; i < n; i++) if (a[i] > 0) t[i] = a[i];
#pragma endscop
}
void several(int n, const int a[static const restrict n], int t[static const restrict n], int u[static const restrict n], int o[static const restrict n]) {
#pragma scop
    __pencil_kill(t, u);
    for (int i = 0; i < n; i++) if (a[i] > 0) { t[i] = a[i]; u[i] = 2 * a[i]; }
    for (int i = 0; i < n; i++) o[i] = a[i] > 0 ? t[i] + u[i] : 0;
    __pencil_kill(u);
#pragma endscop
}
static void fill(int m, int v, int r[static const restrict m]) { __pencil_kill(r); for (int i = 0; i < m; i++) if (i != v) r[i] = v + i; }
void in_helper(int n, int t[static const restrict n]) {
#pragma scop
    fill(n, 3, t);
#pragma endscop
}
void part_helper(int n, int t[static const restrict n]) {
#pragma scop
    fill(n / 2, 3, t);
#pragma endscop
}
// Of a part.
void part(int n, const int a[static const restrict n], int t[static const restrict 2 * n]) {
#pragma scop
    for (int i = n; i < 2 * n; i++) __pencil_kill(t[i]);
    for (int i = n; i < 2 * n; i++) if (a[i - n] > 0) t[i] = a[i - n];
#pragma endscop
}
void half(int n, const int a[static const restrict n], int t[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) if (a[i] > 0) t[i] = a[i];
    for (int i = 0; 2 * i < n; i++) __pencil_kill(t[i]);
#pragma endscop
}
void stride2(int n, const int a[static const restrict n], int t[static const restrict 2 * n]) {
#pragma scop
    for (int i = 0; i < n; i++) t[2 * i] = a[i];
#pragma endscop
}
// Under conditions of sizes and of data.
void if_size(int n, int m, const int a[static const restrict n], int t[static const restrict n]) {
#pragma scop
    if (m > 10) __pencil_kill(t);
    for (int i = 0; i < n; i++) if (a[i] > 0) t[i] = a[i];
#pragma endscop
}
void if_data(int n, const int a[static const restrict n], int t[static const restrict n]) {
#pragma scop
    if (n > 0 && a[0] == 12345) __pencil_kill(t);
    for (int i = 0; i < n; i++) if (a[i] > 0) t[i] = a[i];
#pragma endscop
}
void if_data_end(int n, const int a[static const restrict n], int t[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) t[i] = a[i];
    for (int i = 0; i < n; i++) if (a[i] > 0) __pencil_kill(t[i]);
#pragma endscop
}
void in_loop(int n, int m, const int a[static const restrict n][m], int t[static const restrict m], int o[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        __pencil_kill(t);
        for (int j = 0; j < m; j++) t[j] = a[i][j] * 2;
        for (int j = 0; j < m; j++) o[i][j] = t[m - 1 - j];
        __pencil_kill(t);
    }
#pragma endscop
}
void rows(int n, int m, const int a[static const restrict n][m], int t[static const restrict n][m], int o[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) t[i][j] = a[i][j];
        for (int j = 0; j < m; j++) o[i][j] = t[i][m - 1 - j];
        __pencil_kill(t[i]);
    }
#pragma endscop
}
void one_row(int n, int m, const int a[static const restrict n][m], int t[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) t[i][j] = a[i][j];
    if (n > 2) __pencil_kill(t[2]);
#pragma endscop
}
void flat(int n, int m, const int a[static const restrict n * m], int t[static const restrict n * m]) {
#pragma scop
    __pencil_kill(t);
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if (a[i * m + j] > 0) t[i * m + j] = a[i * m + j];
#pragma endscop
}
void indirect(int n, const int a[static const restrict n], const int b[static const restrict n], int t[static const restrict n]) {
#pragma scop
    __pencil_kill(t);
    for (int i = 0; i < n; i++) if (b[i] >= 0 && b[i] < n) t[b[i]] = 3;
#pragma endscop
}
void members(int n, const int a[static const restrict n], struct Q t[static const restrict n]) {
#pragma scop
    __pencil_kill(t);
    for (int i = 0; i < n; i++) if (a[i] > 0) for (int k = 0; k < 4; k++) t[i].lo[k] = a[i] + k;
#pragma endscop
}
void one_member(int n, const int a[static const restrict n], struct Q t[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) __pencil_kill(t[i].lo);
    for (int i = 0; i < n; i++) { t[i].hi = a[i]; if (a[i] > 0) for (int k = 0; k < 4; k++) t[i].lo[k] = a[i] + k; }
#pragma endscop
}
void member_end(int n, const int a[static const restrict n], struct P t[static const restrict n], int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) { t[i].hi = a[i]; t[i].lo = 1; }
    for (int i = 0; i < n; i++) o[i] = t[n - 1 - i].hi;
    for (int i = 0; i < n; i++) { __pencil_kill(t[i].lo); __pencil_kill(t[i].hi); }
#pragma endscop
}
void written_again(int n, const int a[static const restrict n], int t[static const restrict n], int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) t[i] = a[i];
    for (int i = 0; i < n; i++) o[i] = t[n - 1 - i];
    __pencil_kill(t);
    for (int i = 0; i < n; i++) if (i % 3 == 1) t[i] = 5;
#pragma endscop
}
void read_first(int n, const int a[static const restrict n], int t[static const restrict n], int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) o[i] = t[i];
    for (int i = 0; i < n; i++) t[i] = a[n - 1 - i];
    for (int i = 0; i < n; i++) o[i] += t[i];
    __pencil_kill(t);
#pragma endscop
}
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
void sums(int n, int m, const int a[static const restrict n][m], int t[static const restrict n], int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&t[i], zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&t[i], a[i][j], add);
    }
    for (int i = 0; i < n; i++) o[i] = t[n - 1 - i];
    __pencil_kill(t);
#pragma endscop
}
int scalar(int n, const int a[static const restrict n], int o[static const restrict n]) {
    int s;
#pragma scop
    int x = 3;
    for (int i = 0; i < n; i++) o[i] = a[i] + x;
    __pencil_kill(x);
    x = n;
    for (int i = 0; i < n; i++) o[i] = o[i] % 100 * 3 + x;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, o[i], add);
#pragma endscop
    return s;
}
void until(int n, int m, const int a[static const restrict n], int t[static const restrict n]) {
#pragma scop
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < n; i++) t[i] = a[i] + k;
        if (k < n && a[k] > 3) break;
        __pencil_kill(t);
    }
#pragma endscop
}
// An array that each iteration has for itself.
void behind(int n, int m, const int a[static const restrict n][m], int t[static const restrict m], int o[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) t[j] = a[i][j] * 2;
        for (int j = 0; j < m; j++) o[i][j] = t[m - 1 - j];
    }
    __pencil_kill(t);
#pragma endscop
}
void partly(int n, int m, const int a[static const restrict n][m], int t[static const restrict m], int o[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) t[j] = a[i][j] * 2;
        for (int j = 0; j < m; j++) o[i][j] = t[m - 1 - j];
    }
    if (m > 0) __pencil_kill(t[0]);
#pragma endscop
}
void perhaps(int n, int m, const int a[static const restrict n][m], int t[static const restrict m], int o[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) t[j] = a[i][j] * 2;
        for (int j = 0; j < m; j++) o[i][j] = t[m - 1 - j];
        if (a[i][0] > 0) __pencil_kill(t);
    }
#pragma endscop
}
// What is not known to be killed lives on.
void kill_of_data(int n, const int a[static const restrict n], const int b[static const restrict n], int t[static const restrict n], int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) t[i] = a[i];
    if (n > 5) __pencil_kill(t[b[0] * 0]);
    for (int i = 0; i < n; i++) o[i] = t[n - 1 - i];
#pragma endscop
}
void member_of_whole(int n, const int a[static const restrict n], struct P u, struct P t[static const restrict n], int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) { struct P p = u; p.hi = a[i]; t[i] = p; }
    for (int i = 0; i < n; i++) __pencil_kill(t[i].lo);
    for (int i = 0; i < n; i++) o[i] = t[n - 1 - i].hi;
#pragma endscop
}
static void drop(int m, int r[static const restrict m]) { __pencil_kill(r); for (int i = 0; i < m; i++) if (i > 3) r[i] = 7; }
void part_of_argument(int n, const int a[static const restrict n], int t[static const restrict n], int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) t[i] = a[i];
    drop(n / 2, t);
    for (int i = 0; i < n / 2; i++) o[i] = t[n - 1 - i];
#pragma endscop
}
// What is killed is written anew where others have read it: they are done before.
void reused(int n, int t[static const restrict n], int o[static const restrict n], const int a[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) o[i] = t[n - 1 - i];
    __pencil_kill(t);
    for (int i = 0; i < n; i++) t[i] = a[i];
#pragma endscop
}
