// What gcc -Wall says about values and variables that nothing uses.
#include <math.h>
#include <pencil.h>
#include <stdio.h>
__attribute__((const)) static float next(float x) { return x + 1; }
static float square(float x)
{
    float copy = x; // warning[PC0311]: variable `copy` is never used
    return x * x;
}

void values(int n, float x, float a[static const restrict n])
{
#pragma scop
    fabsf(x); // warning[PC0310]: this statement has no effect
    fmaxf(x, 1); // warning[PC0310]: this statement has no effect
    next(x); // warning[PC0310]: this statement has no effect
    x == 1; // warning[PC0310]: this statement has no effect
    a[0]; // warning[PC0310]: this statement has no effect
    -x; // warning[PC0310]: this statement has no effect
    sqrtf(x);
    square(x);
    (void)fabsf(x);
    (void)next(x);
    (void)n;
    a[0] = next(x);
#pragma endscop
}

void variables(int n, float a[static const restrict n])
{
#pragma scop
    int none; // warning[PC0311]: variable `none` is never used
    int set; // warning[PC0311]: variable `set` is set and never used
    set = n;
    float kept[4], lost[4]; // warning[PC0311]: variable `lost` is set and never used
    kept[0] = 2;
    lost[1] = 2;
    struct { int x, y; } point; // warning[PC0311]: variable `point` is set and never used
    point.x = 3;
    const int c = 3; // warning[PC0311]: variable `c` is never used
    int counted = 0, cast, meant __attribute__((unused));
    counted++;
    (void)cast;
    int m = n;
    for (int i = 0; i < m; i++) {
        int m = i; // warning[PC0311]: variable `m` is never used
        a[i] = kept[0];
    }
#pragma endscop
}

int main(void)
{
    float b[4];
#pragma scop
    float last, other; // warning[PC0311]: variable `other` is never used
    for (int i = 0; i < 4; i++)
        b[i] = i;
    last = b[3];
#pragma endscop
    printf("%g %g\n", b[1], last);
}
