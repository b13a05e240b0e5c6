void prefix(const int *x, int n, int *out)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += x[i];
        out[i] = s;
    }
}
