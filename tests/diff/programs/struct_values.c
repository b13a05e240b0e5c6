/* Structs that are made in front of the choice that takes them. */
#include <pencil.h>

typedef struct { int at; float v; } Hit;
typedef struct { signed char code; Hit hit; } Marked;
typedef struct { int at; short v; } Small;

void best_hit(int n, const float x[static const restrict n], Hit out[static const restrict 2]) {
#pragma scop
    Hit best = {-1, -1e30f}, least = {-1, 1e30f};
    for (int i = 0; i < n; i++) {
        Hit h = {i, x[i]};
        if (h.v > best.v) best = h;
        if (least.v > x[i]) least = h;
    }
    out[0] = best;
    out[1] = least;
#pragma endscop
}

/* The member is narrower than what it is given. */
void narrowed(int n, const double y[static const restrict n], Hit out[static const restrict 1]) {
#pragma scop
    Hit best = {0, 0};
    for (int i = 0; i < n; i++) {
        const Hit g = {.v = y[i] / 3, .at = i};
        if (g.v > best.v) { best = g; }
    }
    out[0] = best;
#pragma endscop
}

void wrapped(int n, const int x[static const restrict n], Small small[static const restrict 1]) {
#pragma scop
    Small s = {0, 0};
    for (int i = 0; i < n; i++) {
        Small h = {i, x[i] * 7};
        if (h.v > s.v) s = h;
    }
    small[0] = s;
#pragma endscop
}

/* One that is changed, one that is kept for more, and one of what changes: they stay. */
void kept(int n, const int x[static const restrict n], int w[static const restrict n], Marked out[static const restrict n],
          Hit last[static const restrict 3]) {
#pragma scop
    Hit a = {0, 0}, b = {0, 0}, c = {0, 0};
    int k = 3;
    for (int i = 0; i < n; i++) {
        Hit h = {i, x[i]};
        if (x[i] & 1) h.at = -i;
        if (h.v > a.v) a = h;
        Hit g = {k, x[i] & 15};
        k = k * 5 % 7;
        if (g.v > b.v) b = g;
        Hit e = {i, w[i]};
        w[i] = 1;
        if (e.v > c.v) c = e;
        Marked m = {x[i], e};
        out[i] = m;
    }
    last[0] = a;
    last[1] = b;
    last[2] = c;
#pragma endscop
}
// sizes: n=0,1,2,33,300
