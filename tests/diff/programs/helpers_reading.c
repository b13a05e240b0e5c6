// Helpers whose array or pointer parameters are not const although they only read, on arrays that kernels have as
// const; and helpers that write, some of them through a member of what a pointer points to.
// sizes: n=0,33 m=5
#include <pencil.h>

typedef struct { float x, y; int v[4]; } Point;

static int deeper(int n, int a[static const restrict n], int p) { return a[p] + 1; }
static int get(int n, int a[static const restrict n], int p) { return deeper(n, a, p) + a[0]; }
static int row(int m, int a[m]) { int s = 0; for (int k = 0; k < m; k++) s += a[k]; return s; }
static int pair(int n, int m, int a[n][m], int i, int j) { return a[i][j] * 2; }
static int find(int n, int a[n], int x) {
    for (int i = 0; i < n; i++)
        if (a[i] == x) return i;
    return -1;
}
static int first(int n, int a[n], int x) { int i = 0; while (i < n && a[i] != x) i++; return i; }
static void set(int n, int a[n], int i, int v) { a[i] = v; }
static void add_to(int n, int a[n], int i, int v) { set(n, a, i, v + a[i]); }

void arrays(int n, int m, int a[static const restrict n], int b[static const restrict n],
            int c[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) b[i] = get(n, a, i);
    for (int i = 0; i < n; i++) b[i] += row(m, c[i]) + find(n, a, i) + first(n, a, i);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[i] += pair(n, m, c, i, j);
    for (int i = 0; i < n; i++) add_to(n, b, i, 3);
#pragma endscop
}

static float length(Point *p) { return p->x * p->x + p->v[2] + (*p).y; }
static float more(Point *p) { return length(p) + 1; }
static Point moved(Point *p) { Point q = *p; q.x += 1; return q; }
static void zero(float *x) { *x = 0; }
static float add(float a, float b) { return a + b; }

float points(int n, Point p[static const restrict n]) {
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, more(&p[i]) + moved(&p[i]).y, add);
    return s;
}

static void scale(Point *p, float f) { p->x = p->x * f; p->v[1] = 3; }
static void both(Point *p, Point *q) { scale(p, 2.0f); p->y = q->y; }

void through_members(int n, Point p[static const restrict n], Point q[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) both(&p[i], &q[i]);
#pragma endscop
}
