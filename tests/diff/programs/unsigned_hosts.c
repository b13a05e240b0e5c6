// sizes: n=1,2,5,11 m=0,1,33
// Loops on the host whose counters are unsigned: what tells whether an iteration does something knows no wrapping.
#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }

// In a kernel: every third iteration reads what the first one has left.
void in_kernels(int n, int m, int b[static const restrict n])
{
#pragma scop
    __pencil_assume(n > 0);
    for (unsigned long i = 0; i < (long long)n; i++) {
        int r;
        __pencil_reduction_var_init(&r, zero);
        for (int j = 0; j < m; j += 5)
            if (i % 3 == 1)
                __pencil_reduction(&r, b[0], add);
        b[i] = r + 2;
    }
#pragma endscop
}

// Around kernels, in conditions that leave remainders of i - 1.
void around_kernels(int n, int m, int a[static const restrict m], int b[static const restrict 1])
{
#pragma scop
    __pencil_assume(n > 0);
    for (unsigned long long i = 0; i < (long long)n; i++) {
        for (int j = 0; j < m; j++)
            a[j] = a[j] % 100 + b[0] % 100 + (int)i;
        if (i % 3 == 1) {
            int r;
            __pencil_reduction_var_init(&r, zero);
            for (int j = 0; j < m; j++)
                __pencil_reduction(&r, a[j], add);
            b[0] = r;
        }
    }
#pragma endscop
}

// A narrow counter, of which a condition is no range: nvcc warns where such a one is compared with 0.
void narrow(int n, int m, const int a[static const restrict n], int b[static const restrict n])
{
#pragma scop
    for (unsigned char i = 0; i < min(n, 100); i++) {
        if (i < 5 || i > 9) {
            int w = a[i] & 31;
            while (w > 1)
                w = w / 2;
            b[i] = w + (int)i + m;
        }
    }
#pragma endscop
}
