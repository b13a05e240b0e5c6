// What some path through a function does not do: return a value, set a variable.
#include <pencil.h>

static void zero(float *x) { *x = 0; }
static float add(float a, float b) { a + b; } // error[PC0309]: `add` can end without
static float sign(float x) // error[PC0309]: `sign` can end without returning a value
{
    if (x > 0)
        return 1;
    if (x <= 0)
        return -1;
}

static int cases(int c) // error[PC0309]: `cases` can end
{
    switch (c) {
    case 1: return 2;
    case 2: return 3;
    }
}

static int leaves(int c)
{
    switch (c) {
    case 1: return 2;
    default: break;
    }
    if (c > 3) {
        return 4;
    } else {
        while (1) {
            c++;
            if (c > 100) return c;
        }
    }
}

static int found(int c, int *t)
{
    if (c < 0) return 0;
    *t = c;
    return 1;
}

static int asked(int c)
{
    int t, u, v, w = 0;
    if (found(c, &t)) w += t;
    if (found(c, &u) && u > 3) w += u;
    while (found(w, &v) && v < 9) w += v;
    return w + t + u + v;
}

static int unset(int n, const int a[n], int c)
{
    int x, y, z, t, u, v = c, w, first;
    if (c) x = 1;
    for (int i = 0; i < n; i++) y = a[i];
    for (int i = 0; i < 4; i++) z = i;
    for (int i = 0; i < n; i++) t += a[i]; // warning[PC0408]: `t` may be used before it has a value
    do {
        if (v > 4) break;
        w = v;
        v++;
    } while (v < 3);
    if (c) u = 2;
    for (int i = 0; i < n; i++) {
        if (i > 0 && a[i] < first) v++;
        first = a[i];
    }
    if (c) v += u;
    v += x; // warning[PC0408]: `x` may be used before it has a value
    v += y; // warning[PC0408]: `y` may be used before it has a value
    v += w; // warning[PC0408]: `w` may be used before it has a value
    v == z; // warning[PC0310]: this statement has no effect
    (void)u;
    return v + z + t;
}

// Of arrays and structs only what is certain is told.
struct pair { int a, b; };
static void fill(int n, int a[n]) { for (int i = 0; i < n; i++) a[i] = i; }
static void set(struct pair *p) { p->a = p->b = 1; }
static int sum(struct pair p) { return p.a + p.b; }

static int parts(int x, int n)
{
    int first[4], none[4], late[2], looped[8], handed[4], row[2][3], chosen[2], before[4];
    struct pair half, whole, told, copied;
    struct { int v[2]; struct pair p; } deep;
    first[0] = x;
    x += first[1]; // warning[PC0408]: `first[1]` is used before it has a value
    x += none[x & 3]; // warning[PC0408]: `none` is used before it has a value
    x += late[0]; // warning[PC0408]: `late` is used before it has a value
    late[0] = x;
    for (int i = 0; i < n; i++) looped[i] = i;
    x += looped[3];
    fill(4, handed);
    x += handed[2];
    fill(3, row[1]);
    x += row[1][2] + row[0][0]; // warning[PC0408]: `row[0][0]` is used before it has a value
    if (x > 3) chosen[0] = 1;
    x += chosen[0];
    for (int i = 0; i < n; i++) {
        if (i > 0) x += before[i - 1];
        before[i] = i;
    }
    half.a = x;
    x += half.b; // warning[PC0408]: `half.b` is used before it has a value
    set(&whole);
    x += whole.b;
    x += sum(told); // warning[PC0408]: `told` is used before it has a value
    copied = whole;
    x += copied.a;
    deep.v[x & 1] = 2;
    deep.p.a = 1;
    x += deep.v[0] + deep.p.b; // warning[PC0408]: `deep.p.b` is used before it has a value
    return x;
}

float entry(int n, const float a[static const restrict n], int b[static const restrict n]) // error[PC0309]: `entry` can end
{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i] + sign(a[i]), add);
    for (int i = 0; i < n; i++)
        b[i] = cases(i) + leaves(i) + unset(1, b, i) + parts(i, 2);
}
