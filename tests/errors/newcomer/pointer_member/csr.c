typedef struct {
    int rows, nnz;
    const int *rowptr;
    const int *col;
    const double *val;
} csr_t;

void spmv(int n, csr_t A, const double x[static const restrict n], double y[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = A.rowptr[i]; k < A.rowptr[i + 1]; k++)
            s += A.val[k] * x[A.col[k]];
        y[i] = s;
    }
#pragma endscop
}
