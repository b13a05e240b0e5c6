// Definitions under the names that the generated file defines.
#include <pencil.h>
#include <stdio.h>
typedef struct { int x; } total_workspace; // error[PC0015]: `total_workspace` is the name that an entry point of `total`
enum { FEW, total_all0 }; // error[PC0015]: `total_all0` is the name that a kernel of `total` has
static void zero(float *x) { *x = 0; }
static float add(float a, float b) { return a + b; }
static float total_row0(float x) { return x; }
int total_device(int n, const float *a, float *result, void *stream);

float total(int n, const float a[static const restrict n])
{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, total_row0(a[i]), add);
    return s;
}

float total_device_in(float x) // error[PC0015]: `total_device_in` is the name that an entry point of `total`
{
    printf("%g\n", x);
    return x;
}

void main_scop0(void) {} // error[PC0015]: `main_scop0` is the name that the region of `main` has

int main(void)
{
    float b[FEW + 4];
#pragma scop
    for (int i = 0; i < 4; i++)
        b[i] = i;
#pragma endscop
    printf("%g\n", b[1]);
}

void total_parallel0(int n, float b[static const restrict n]) // error[PC0015]: the name that a kernel of `total` has
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = 1;
#pragma endscop
}
