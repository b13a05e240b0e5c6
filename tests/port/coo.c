typedef struct { int row, col; double val; } entry;

void coo_spmv(const entry *e, int nnz, const double *x, int cols, double *y, int rows)
{
    for (int i = 0; i < rows; i++)
        y[i] = 0;
    for (int k = 0; k < nnz; k++)
        y[e[k].row] += e[k].val * x[e[k].col];
}
