// Regions in host functions.
#include <stdio.h>
#include <stdlib.h>
#include <pencil.h>
static float add(float a, float b) { return a + b; }
static void zero(float *p) { *p = 0; }

int main(void)
{
    float b[10], s;
    int n = 10;
    float c[n];
    float *a = malloc(10 * sizeof(float));
#pragma scop
    for (int i = 0; i < 10; i++)
        b[i] = a[i]; // error[PC0401]: extent of `a` is not known
    for (int i = 0; i < 10; i++)
        b[i] += a[i]; // told once
#pragma endscop
    n = 20; // error[PC0403]: extent `n` of `c` may change
#pragma scop
    float t[2] = {1, 2}; // error[PC0108]: `t` is declared inside the region and used after it
    int half = n / 2;
    float u[half]; // error[PC0108]: `u` is declared inside the region and used after it
    enum { FIRST, LAST } which = FIRST; // error[PC0108]: `LAST` is declared inside the region and used after it
    u[0] = t[1] + which;
    for (int i = 0; i < 10; i++) {
        c[i] = u[0];
        printf("%d\n", i); // error[PC0505]: `printf` has no body
    }
#pragma endscop
    printf("%f %f %d\n", t[0], u[0], LAST);
    __pencil_reduction_var_init(&s, zero); // error[PC0107]: outside the regions of `main`
    return 0;
}

void unmarked(int n, const float a[static const restrict n])
{
    float s;
    __pencil_reduction_var_init(&s, zero);
    printf("begin\n"); // error[PC0107]: `printf` stands between the PENCIL constructs
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
}
