/* Functions that Fortran calls, and C as if it were that: everything comes by pointer. */
void dgemv_(int *m, int *n, double *alpha, double *a, int *lda, double *x, double *y)
{
    int i, j;
    for (j = 0; j < *n; j++)
        for (i = 0; i < *m; i++)
            y[i] += *alpha * a[i + j * *lda] * x[j];
}

void scale_(const int *restrict count, float *v, const float *by)
{
    int n = *count, i;
    for (i = 0; i < n; i++)
        v[i] *= *by;
}

static int above(int *n, int *v, int *limit)
{
    int found = 0;
    for (int i = 0; i < (*n); i++)
        if (v[i] > *limit)
            found++;
    return found;
}

int shifted_(int n[1], int *v, int *w)
{
    int two = 2;
    int found = above(n, v, &two);
    for (int i = 0; i < n[0]; i++)
        w[i] = v[i] + found;
    return found;
}

/* Where nothing is to be done there need not be a number. */
void cleared_(int is_wanted, int *n, int *v)
{
    if (is_wanted)
        for (int i = 0; i < *n; i++)
            v[i] = 0;
}
