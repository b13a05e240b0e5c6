// Minima and maxima of elements that are not numbers, in every form: of a comparison, and of `fminf`, where the first value
// is none either.
// sizes: n=0,1,5,40,300 m=1,33
#include <math.h>
#include <pencil.h>

static float smaller(float a, float b) { return a < b ? a : b; }
static float less(float a, float b) { return b < a ? b : a; }
static double greater(double a, double b) { return fmax(a, b); }
// About half of the elements are none.
static float some(float x) { return x > 0 ? x : NAN; }

// The old value stays where the element is none: any order gives the same.
void kept(int n, const float a[static const restrict n], float o[static const restrict 4]) {
#pragma scop
    float p = 9.0f, q = 9.0f, r = 9.0f, s = -9.0f;
    for (int i = 0; i < n; i++)
        p = min(p, some(a[i]));
    for (int i = 0; i < n; i++)
        q = less(q, some(a[i]));
    for (int i = 0; i < n; i++)
        r = smaller(some(a[i]), r);
    for (int i = 0; i < n; i++)
        s = max(s, some(a[i]));
    o[0] = p;
    o[1] = q;
    o[2] = r;
    o[3] = s;
#pragma endscop
}

// The element is taken where it is none, and so is the one behind it: in the order of the source.
void taken(int n, const float a[static const restrict n], float o[static const restrict 4]) {
#pragma scop
    float p = 9.0f, q = 9.0f, r = 9.0f, s = -9.0f;
    for (int i = 0; i < n; i++)
        p = min(some(a[i]), p);
    for (int i = 0; i < n; i++)
        q = less(some(a[i]), q);
    for (int i = 0; i < n; i++)
        r = smaller(r, some(a[i]));
    for (int i = 0; i < n; i++)
        s = max(some(a[i]), s);
    o[0] = p;
    o[1] = q;
    o[2] = r;
    o[3] = s;
#pragma endscop
}

// Where neither the first value nor an element is a number, the result is none.
void none(int n, const float a[static const restrict n], float o[static const restrict 2]) {
#pragma scop
    float p = NAN, q = NAN;
    for (int i = 0; i < n; i++)
        p = fminf(p, a[i] > 9 ? a[i] : NAN);
    for (int i = 0; i < n; i++)
        q = fmaxf(a[i] * NAN, q);
    o[0] = p;
    o[1] = q;
#pragma endscop
}

void none_of_rows(int n, int m, const double a[static const restrict n][m], double o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        o[i] = a[i][0] > 2 ? a[i][0] : NAN;
        for (int j = 0; j < m; j++)
            o[i] = greater(o[i], a[i][j] > 2 ? a[i][j] : NAN);
    }
#pragma endscop
}

void box(int n, const float x[static const restrict 3 * n], float lo[static const restrict 3],
         float hi[static const restrict 3]) {
#pragma scop
    for (int c = 0; c < 3; c++) {
        lo[c] = NAN;
        hi[c] = NAN;
    }
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            lo[c] = fminf(lo[c], x[3 * i + c] > 1 ? x[3 * i + c] : NAN);
            hi[c] = fmaxf(hi[c], x[3 * i + c] > 1 ? x[3 * i + c] : NAN);
        }
#pragma endscop
}
