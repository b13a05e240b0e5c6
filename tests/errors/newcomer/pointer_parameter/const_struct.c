struct body { double x, m; };

void masses(int n, const struct body *b, double *m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        m[i] = b[i].m;
#pragma endscop
}
