// Operators with small arrays of their own, of which an index that is found at run time names an element: the best of a
// row merged, inserted, exchanged, with their places, and by helpers.
// sizes: n=0,1,5,131,20011 r=0,3
#include <pencil.h>

#define K 4

typedef struct { float v[K]; } Top;
typedef struct { float v[K]; int at[K]; } Places;
typedef struct { int count; int bins[8]; } Counts;

static void none(Top *t) {
    for (int k = 0; k < K; k++) t->v[k] = -3e38f;
}
static Top merged(Top a, Top b) {
    Top r;
    int i = 0, j = 0;
    for (int k = 0; k < K; k++) {
        if (a.v[i] >= b.v[j]) {
            r.v[k] = a.v[i];
            i++;
        } else {
            r.v[k] = b.v[j];
            j++;
        }
    }
    return r;
}
static Top one(float x) {
    Top t;
    for (int k = 0; k < K; k++) t.v[k] = -3e38f;
    t.v[0] = x;
    return t;
}
// The same by insertion: what is smaller moves by one place.
static Top inserted(Top a, Top b) {
    for (int k = 0; k < K; k++) {
        float x = b.v[k];
        int p = K;
        while (p > 0 && a.v[p - 1] < x) {
            if (p < K) a.v[p] = a.v[p - 1];
            p--;
        }
        if (p < K) a.v[p] = x;
    }
    return a;
}

void top(int n, const float a[static const restrict n], float out[static const restrict K]) {
    Top s, t;
    __pencil_reduction_var_init(&s, none);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, one(a[i]), merged);
    __pencil_reduction_var_init(&t, none);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&t, one(a[i]), inserted);
    for (int k = 0; k < K; k++) out[k] = s.v[k] - (s.v[k] != t.v[k]);
}

static void nowhere(Places *t) {
    for (int k = 0; k < K; k++) {
        t->v[k] = -3e38f;
        t->at[k] = -1;
    }
}
static int is_before(float v, int at, float w, int to) { return v > w || (v == w && at < to); }
static float nth(Places t, int k) { return t.v[k]; }
static Places found(Places a, Places b) {
    Places r = a;
    int i = 0, j = 0, k = 0;
    while (k < K) {
        int left = is_before(nth(a, i), a.at[i], b.v[j], b.at[j]);
        r.v[k] = left ? a.v[i] : b.v[j];
        r.at[k] = left ? a.at[i] : b.at[j];
        i += left;
        j += !left;
        k++;
    }
    return r;
}
static Places at(float x, int i) {
    Places t;
    for (int k = 0; k < K; k++) {
        t.v[k] = -3e38f;
        t.at[k] = -1;
    }
    t.v[0] = x;
    t.at[0] = i;
    return t;
}
void places(int r, int n, const float a[static const restrict r][n], int out[static const restrict r][K]) {
    for (int k = 0; k < r; k++) {
        Places s;
        __pencil_reduction_var_init(&s, nowhere);
        for (int i = 0; i < n; i++)
            __pencil_reduction(&s, at(a[k][i], i), found);
        for (int j = 0; j < K; j++)
            out[k][j] = s.at[j];
    }
}

// Elements that are counted in the element, compound assignments and an array of the helper's own.
static void empty(Counts *c) {
    c->count = 0;
    for (int k = 0; k < 8; k++) c->bins[k] = 0;
}
static Counts both(Counts a, Counts b) {
    a.count += b.count;
    for (int k = 0; k < 8; k++) a.bins[k] += b.bins[k];
    return a;
}
static Counts counted(float x, float y) {
    int seen[3] = {0, 0, 0};
    unsigned char narrow[2] = {250, 3};
    Counts c;
    empty(&c);
    int low = x < y, where = (int)(x * 8.0f) & 7;
    seen[low] += 1;
    seen[2 * low] = seen[low] + 1;
    narrow[low] += 7 + where;
    c.bins[where] += 1 + seen[2 * low] + narrow[0];
    c.count = c.bins[where] + seen[low + 1];
    return c;
}
void counts(int n, const float a[static const restrict n], int out[static const restrict 9]) {
    Counts s;
    __pencil_reduction_var_init(&s, empty);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, counted(a[i], 0.5f), both);
    for (int k = 0; k < 8; k++) out[k] = s.bins[k];
    out[8] = s.count;
}
