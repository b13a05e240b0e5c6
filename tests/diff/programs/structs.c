// sizes: n=0,1,33,300
// Structs: nested, by value, with arrays, by member and whole, in conditions.
#include <pencil.h>

typedef struct { float x, y; } Point;
typedef struct { Point a; int n[3]; } Shape;
void members(int n, Point p, Shape q, const Point a[static const restrict n], Shape b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        Point t = a[i];
        t.x += p.x;
        b[i].a = t;
        b[i].n[1] = q.n[2] + i;
        b[i].n[0] = 1; b[i].n[2] = 3;
    }
#pragma endscop
}
typedef struct { float v[4]; int tag; } Vector;
typedef struct { Vector a, b; unsigned char c[2][3]; } Pair;
static Vector scale(Vector x, float s) { Vector r = x; for (int k = 0; k < 4; k++) r.v[k] *= s; return r; }
Pair whole(int n, Vector p, const Vector a[static const restrict n], Vector b[static const restrict n], Pair w) {
#pragma scop
    for (int i = 0; i < n; i++) {
        Vector t = scale(a[i], 2.0f);
        t.tag = a[i].tag + p.tag;
        for (int k = 0; k < 4; k++) t.v[k] += p.v[k] + w.c[1][2];
        b[i] = t;
    }
    w.a = p;
    w.b.v[2] = 1.5f;
#pragma endscop
    return w;
}

typedef struct { float x; int k; } Item;
void chosen(int n, const Item a[static const restrict n], Item b[static const restrict n], _Bool c[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] = a[i].x > 0 ? a[i] : (Item){.k = 3};
        c[i] = a[i].k;
        c[i] = c[i] && i != 3 ? 2 : 0.5;
    }
#pragma endscop
}

typedef struct { float x, y; int n[3]; } Triple;
void partly(int n, Triple b[static const restrict n], const Triple a[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i].x = a[i].y;
        b[i].n[1] = a[i].n[2] + i;
    }
#pragma endscop
}
