/* conjugate gradient pieces on a CSR matrix */
#include <stdlib.h>

struct csr {
    int nrows;
    int nnz;
    int *row_ptr;
    int *col_idx;
    double *values;
};

void csr_spmv(const struct csr *A, const double *x, double *y)
{
    for (int r = 0; r < A->nrows; r++) {
        double acc = 0.0;
        for (int k = A->row_ptr[r]; k < A->row_ptr[r + 1]; k++)
            acc += A->values[k] * x[A->col_idx[k]];
        y[r] = acc;
    }
}

void csr_diagonal(const struct csr *A, double *d)
{
    for (int r = 0; r < A->nrows; r++) {
        d[r] = 0.0;
        for (int k = A->row_ptr[r]; k < A->row_ptr[r + 1]; k++) {
            if (A->col_idx[k] == r) {
                d[r] = A->values[k];
                break;
            }
        }
    }
}

void csr_transpose_mv(const struct csr *A, const double *x, double *y, int ncols)
{
    for (int c = 0; c < ncols; c++)
        y[c] = 0.0;
    for (int r = 0; r < A->nrows; r++)
        for (int k = A->row_ptr[r]; k < A->row_ptr[r + 1]; k++)
            y[A->col_idx[k]] += A->values[k] * x[r];
}

double csr_frobenius2(const struct csr *A)
{
    double s = 0;
    for (int k = 0; k < A->nnz; k++)
        s += A->values[k] * A->values[k];
    return s;
}
