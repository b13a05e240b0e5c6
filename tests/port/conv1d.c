void conv1d(const float *x, int n, const float *k, int m, float *y)
{
    for (int i = 0; i < n - m + 1; i++) {
        float s = 0;
        const float *p = x + i;
        for (int j = 0; j < m; j++)
            s += *p++ * k[j];
        y[i] = s;
    }
}
