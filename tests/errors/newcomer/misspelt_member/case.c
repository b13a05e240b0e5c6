typedef struct { float re, im; } cplx;

void conjugate(int n, cplx z[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        z[i].im = -z[i].Im;
#pragma endscop
}
