// sizes: n=0,1,33,300 m=0,1,40
// Helpers with loops are inlined, those that write through pointers become device functions.
#include <pencil.h>

static void copy(int n, const float a[static const restrict n], float b[static const restrict n]) {
    for (int i = 0; i < n; i++) b[i] = a[i];
}
static void zero(float *v) { *v = 0; }
static float add(float x, float y) { return x + y; }
static float total(int n, const float a[static const restrict n]) {
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, a[i], add);
    return s;
}
static void row(int m, float x[static const restrict m], float v) { for (int j = 0; j < m; j++) x[j] += v; }
void use_helpers(int n, int m, const float a[static const restrict n], float b[static const restrict n], float c[static const restrict n][m]) {
#pragma scop
    copy(n, a, b);
    float t = total(n, a);
    for (int i = 0; i < n; i++) b[i] += t;
    for (int i = 0; i < n; i++) row(m, c[i], b[i]);
#pragma endscop
}

static void divmod(int a, int b, int *q, int *r) { *q = a / b; *r = a % b; }
static void put(float x[static const restrict 3], float v) { x[0] = v; x[1] = v * 2; x[2] = 0; }
void use_pointers(int n, float b[static const restrict n][3], int c[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int q, r;
        divmod(i, 7, &q, &r);
        c[i] = q * 100 + r;
        put(b[i], q);
    }
#pragma endscop
}

// A function with a region of its own is called where it cannot be inlined, and by other files under its own name.
int halve(int n, int a[static const restrict n])
{
    int changed = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] / 2 != a[i]) {
            a[i] = a[i] / 2;
            changed++;
        }
#pragma endscop
    return changed;
}

void until_zero(int n, int a[static const restrict n])
{
#pragma scop
    int rounds = 0;
    while (halve(n, a) && rounds < 40)
        rounds++;
#pragma endscop
}
