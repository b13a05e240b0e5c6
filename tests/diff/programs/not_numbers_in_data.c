// Minima and maxima of data that may be no numbers, in the forms that people write.
// sizes: n=1,2,3,33,300 m=1,33
#include <math.h>
#include <float.h>
#include <pencil.h>

// About half of the elements are none.
static float some(float x) { return x > 0 ? x : NAN; }

// Two minima of one type, which do something else with what is no number: that of `b`, which has none, may be done in any order.
void of_two(int n, const float a[static const restrict n], const float b[static const restrict n],
            float o[static const restrict 2]) {
#pragma scop
    float p = FLT_MAX, r = FLT_MAX;
#pragma pencil independent reduction(min : r)
    for (int i = 0; i < n; i++)
        r = r < b[i] ? r : b[i];
    for (int i = 0; i < n; i++)
        if (some(a[i]) < p)
            p = some(a[i]);
    o[0] = p;
    o[1] = r;
#pragma endscop
}

void of_all(int n, const float a[static const restrict n], const double b[static const restrict n],
            double o[static const restrict 6]) {
#pragma scop
    float p = FLT_MAX, q = -INFINITY, r = FLT_MAX, s = -FLT_MAX;
    double t = DBL_MAX, u = 0;
    for (int i = 0; i < n; i++)
        if (a[i] < p)
            p = a[i];
    for (int i = 0; i < n; i++)
        q = a[i] > q ? a[i] : q;
    for (int i = 0; i < n; i++)
        r = r < a[i] ? r : a[i];
    for (int i = 0; i < n; i++)
        s = fmaxf(s, a[i]);
    for (int i = 0; i < n; i++)
        t = t > b[i] ? b[i] : t;
    for (int i = 0; i < n; i++)
        u = u >= b[i] ? u : b[i];
    o[0] = p;
    o[1] = q;
    o[2] = r;
    o[3] = s;
    o[4] = t;
    o[5] = u;
#pragma endscop
}

void of_rows(int n, int m, const float a[static const restrict n][m], int o[static const restrict n],
             float p[static const restrict n], float q[static const restrict m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float best = -INFINITY;
        o[i] = -1;
        for (int j = 0; j < m; j++)
            if (a[i][j] > best) {
                best = a[i][j];
                o[i] = j;
            }
        p[i] = best;
    }
    for (int j = 0; j < m; j++) {
        q[j] = 1;
        for (int i = 0; i < n; i++)
            q[j] = fminf(q[j], a[i][j]);
    }
#pragma endscop
}
