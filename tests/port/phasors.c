typedef struct { float re; float im; } complex_t;

static complex_t cmul(complex_t a, complex_t b)
{
    complex_t r;
    r.re = a.re * b.re - a.im * b.im;
    r.im = a.re * b.im + a.im * b.re;
    return r;
}

static complex_t cadd(complex_t a, complex_t b)
{
    a.re += b.re;
    a.im += b.im;
    return a;
}

complex_t cdot(const complex_t *x, const complex_t *y, int n)
{
    complex_t acc = { 0, 0 };
    for (int i = 0; i < n; i++)
        acc = cadd(acc, cmul(x[i], y[i]));
    return acc;
}

void cscale(complex_t *x, complex_t k, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = cmul(x[i], k);
}
