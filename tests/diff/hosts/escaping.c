// Variables that a region declares and the host uses behind it.
#include <pencil.h>
#include <stdio.h>
typedef struct { int first, last; } Pair;
static void zero(float *x) { *x = 0; }
static float add(float a, float b) { return a + b; }

static float work(int n, float *out)
{
    float h[16][8];
#pragma scop
    float t[8];
    float w[n], k = 2.5f;
    const int m = n - 1;
    Pair q = {3, m};
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 8; j++)
            h[i][j] = i + j * k;
    for (int j = 0; j < 8; j++)
        t[j] = h[1][j] + h[2][j] + q.first;
    for (int i = 0; i < n; i++)
        w[i] = i;
#pragma endscop
    *out = t[3] + w[m];
    for (int j = 0; j < 8; j++)
        printf("%g ", t[j]);
    return m + q.last;
}

static void rounds(int n)
{
    float a[64];
    for (int r = 0; r < 3; r++) {
#pragma scop
        int k = r, z, i;
        for (i = 0; i < n; i++)
            a[i] = i + k;
        k += 2;
        z = k * 3;
#pragma endscop
        printf("%d %g %d %d\n", k, a[3], z, i);
        if (k > 3) {
            int k = 5;
            printf("%d\n", k);
        }
    }
}

int main(void)
{
    int n = 50;
    float a[64], b[64];
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = i;
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    float scale = a[n - 1] + 1, u;
    _Bool big = s > 100;
    int count = 0, none = -1;
    unsigned char c = 250;
    for (int i = 0; i < n; i++) {
        b[i] = a[i] / scale;
        if (b[i] > 0.5f)
            count++;
    }
    c += count;
    u = b[2];
#pragma endscop
#pragma scop
    float twice = scale * 2;
    for (int i = 0; i < n; i++)
        a[i] = twice + count;
#pragma endscop
    printf("%g %g %d %d %d %d %g %g %g\n", s, scale, big, count, none, c, u, twice, a[7]);
    float f, g = work(10, &f);
    printf("%g %g\n", f, g);
    rounds(50);
    return 0;
}
