// Figure 3 of "Reduction Drawing" with the PENCIL builtins: a user-defined operator on a user-defined type.
// The members are unsigned instead of int, so that a long product wraps around instead of overflowing.
// tolerance: 0
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 10007
#endif

typedef struct COMPLEX {
    unsigned a;
    unsigned b;
} Complex;

static void one(Complex *z) {
    Complex unit = {1.0, 0.0};
    *z = unit;
}

static Complex multiply(Complex x, Complex y) {
    Complex z;
    z.a = x.a * y.a - x.b * y.b;
    z.b = x.a * y.b + x.b * y.a;
    return z;
}

Complex complex_product(const int n, const Complex input[static const restrict n]) {
    int i;
    Complex product;
    __pencil_reduction_var_init(&product, one);
    for (i = 0; i < n; i++)
        __pencil_reduction(&product, input[i], multiply);
    return product;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : N;
    Complex *input = calloc((size_t)n, sizeof *input);
    unsigned seed = 6;
    for (int i = 0; i < n; i++) {
        // One odd and one even part keep the product from collapsing to zero modulo 2^32.
        seed = seed * 1664525u + 1013904223u;
        input[i].a = seed >> 16 | 1u;
        seed = seed * 1664525u + 1013904223u;
        input[i].b = seed >> 16 & ~1u;
    }
    Complex product = complex_product(n, input);
    printf("complex_product n=%d checksum %u %u\n", n, product.a, product.b);
    free(input);
    return 0;
}
