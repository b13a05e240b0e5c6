#include <stdio.h>
#include <pencil.h>
struct img { int w, h; float gain; };
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
static float work(struct img im, int n, float a[static const restrict n], int *flag)
{
    float best = 0, s = 0;
    int new = 3, template = 4;
    if (*flag) {
        for (int r = 0; r < 2; r++)
        {
#pragma scop
            for (int i = 0; i < n; i++)
                a[i] = a[i] * im.gain + new + template;
            __pencil_reduction_var_init(&s, zero);
            for (int i = 0; i < n; i++)
                __pencil_reduction(&s, a[i], add);
            best = best > s ? best : s;
            im.w = im.w + 1;
#pragma endscop
        }
    }
    else {
#pragma scop
        for (int i = 0; i < n; i++) a[i] = 1;
#pragma endscop
    }
    printf("w %d\n", im.w);
    return best;
}
int main(void)
{
    float a[33]; int f = 1;
    for (int i = 0; i < 33; i++) a[i] = i % 5;
    struct img im = { 2, 3, 1.5f };
    float r = work(im, 33, a, &f); f = 0;
    printf("%g\n", r + work(im, 33, a, &f));
    printf("%g\n", a[4]);
    return 0;
}
