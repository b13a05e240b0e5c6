/* A sparse matrix, row by row: the entries of row `i` are those from `start[i]` to before `start[i + 1]`. */
typedef struct {
    int rows, columns, entries;
    const int *start;
    const int *column;
    const double *value;
} sparse_t;

void apply(const sparse_t *matrix, const double *in, double *out)
{
    for (int i = 0; i < matrix->rows; i++) {
        double sum = 0;
        for (int k = matrix->start[i]; k < matrix->start[i + 1]; k++)
            sum += matrix->value[k] * in[matrix->column[k]];
        out[i] = sum;
    }
}
