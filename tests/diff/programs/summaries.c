// sizes: n=0,1,33,1009
// What a call touches is what its summary says, on a declaration or a definition.
#include <pencil.h>

static void foo_summary(int n, float x[static const restrict n], int i) {
    __pencil_use(x[i]);
    __pencil_def(x[i]);
}
__attribute__((pencil_access(foo_summary)))
static void foo(int n, float x[static const restrict n], int i) {
    int k = i;
    while (k > i) k--;
    x[k] = x[k] * 2 + 1;
}
void update_all(int n, float a[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) foo(n, a, i);
#pragma endscop
}

static void bar_summary(int n, float x[static const restrict n], int i) {
    if (__pencil_maybe()) x[i] = 0;
    __pencil_use(x[i]);
}
static void bar(int n, float x[static const restrict n], int i) __attribute__((pencil_access(bar_summary)));
static void bar(int n, float x[static const restrict n], int i) {
    if (x[i] > 3) x[i] = x[i] * 2 + 1;
}
void update_some(int n, float a[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) bar(n, a, i);
#pragma endscop
}

void copy_all(int n, float a[static const restrict n], const float b[static const restrict n]);
static void g_summary(int n, const float x[static const restrict n], int i, float y[static const restrict n]) {
    __pencil_use(x[i]);
    __pencil_def(y[i]);
}
static float __attribute__((pencil_access(g_summary))) g(int n, const float x[static const restrict n], int i, float y[static const restrict n]) {
    int k = i * 1;
    y[k] = x[k];
    return x[k];
}
void copy_all(int n, float a[static const restrict n], const float b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) { float t = g(n, b, i, a); a[i] += t; }
#pragma endscop
}
