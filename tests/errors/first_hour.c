// What people write first, each with a remedy that can be pasted.
#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
typedef union { int a; float b; } Either; // error[PC0407]: unions are not part of PENCIL
typedef struct { int count; float *values; } Vector; // error[PC0404]: member `values` of `Vector` is a pointer
typedef struct { int low : 4; } Bits; // error[PC0407]: bit-fields are not part of PENCIL

void moments(float *x, int n, float *mean) // error[PC0401]: pointer parameter `x` has no extent // error[PC0401]: pointer parameter `mean` has no extent
{
#pragma scop
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, x[i], add);
    *mean = s / n;
#pragma endscop
}

void picture(int h, int w, float **p) // error[PC0401]: pointer parameter `p` has no extent
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            p[y][x] = 0;
#pragma endscop
}

void unknown(float *p) // error[PC0401]: pointer parameter `p` has no extent
{
#pragma scop
    p[2] = 0;
    p[3] = 1;
#pragma endscop
}

void either(int n, Either e[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        e[i].a = 0;
#pragma endscop
}

void vector(Vector v, int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = v.values[i];
#pragma endscop
}

void bits(Bits b, int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = b.low;
#pragma endscop
}

void chosen(int n, float a[static const restrict n], float (*g)(float)) // error[PC0013]: function types are not supported
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = g(a[i]);
#pragma endscop
}

void jumps(int n, int k, float a[static const restrict n])
{
#pragma scop
    static int calls; // error[PC0407]: static variable `calls` keeps its value between calls
    for (int i = 0; i < n; i += k) // error[PC0304]: loop step is not constant
        a[i] = calls;
    for (int i = 0; i < n; i++) {
        if (a[i] > 0)
            goto end; // error[PC0307]: `goto` is not part of PENCIL
        a[i] = 1;
    }
end:;
#pragma endscop
}

void element(int n, const float a[static const restrict n], float r[static const restrict 1])
{
#pragma scop
    __pencil_reduction_var_init(r, zero); // error[PC0210]: wants the address of a variable
    for (int i = 0; i < n; i++)
        __pencil_reduction(r, a[i], add); // error[PC0210]: wants the address of a variable
#pragma endscop
}

static float sums(float a, float b) { return a > 0 ? sums(a - 1, b) : b; } // error[PC0504]: `sums` is recursive

void early(int n, float a[static const restrict n])
{
#pragma scop
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, later(a[i]), larger); // error[PC0010]: `later` is used before it is declared // error[PC0010]: `larger` is used before it is declared
    a[0] = sums(s, 1);
#pragma endscop
}

static float later(float a) { return a * 2; }
static float larger(float a, float b) { return a > b ? a : b; }
