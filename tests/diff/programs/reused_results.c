// Results that are reduced into again: each reduction has its loop, and none is put into an earlier one's.
// sizes: n=0,1,2,31,33 m=0,1,2,31,33
#include <pencil.h>

static void zero(unsigned *v) { *v = 0; }
static void one(unsigned *v) { *v = 1; }
static unsigned add(unsigned a, unsigned b) { return a + b; }
static unsigned product(unsigned a, unsigned b) { return a * b; }

void thrice(int n, int m, const unsigned a[static const restrict n][m], unsigned s[static const restrict n])
{
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], one);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s[i], a[i][j] | 1, product);
    }
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < n; j++)
            __pencil_reduction(&s[i], 5, add);
    }
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], one);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s[i], a[i][j] | 1, product);
    }
}

void read_between(int n, int m, const unsigned a[static const restrict n][m], unsigned s[static const restrict n],
                  unsigned o[static const restrict n])
{
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s[i], a[i][j], add);
        o[i] = s[i];
        __pencil_reduction_var_init(&s[i], one);
        for (int j = 0; j < n; j++)
            __pencil_reduction(&s[i], 3, product);
        o[i] += s[i];
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s[i], a[i][j] ^ 1, add);
    }
}

unsigned one_variable(int n, int m, const unsigned a[static const restrict n], const unsigned b[static const restrict m])
{
    unsigned s, o;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    o = s;
    __pencil_reduction_var_init(&s, one);
    for (int j = 0; j < m; j++)
        __pencil_reduction(&s, b[j] | 1, product);
    o += s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i] ^ 3, add);
    return o + 7 * s;
}

/* several reductions of `c`, and an array that is called as the second one could be */
void called_alike(int n, int m, const int x[static const restrict n][m], int c[static const restrict n],
                  int c_1[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        c_1[i] = 0;
        for (int j = 0; j < m; j++)
            c_1[i] += x[i][j] & 255;
        c[i] = 250;
        for (int j = 0; j < m; j++)
            c[i] += x[i][j] & 127;
        for (int j = 0; j < m; j++)
            c[i] ^= j;
    }
#pragma endscop
}
