struct csr {
    int rows;
    int *start;
    float *value;
};

void sums(const struct csr *A, int n, float y[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = A->value[A->start[i]];
#pragma endscop
}
