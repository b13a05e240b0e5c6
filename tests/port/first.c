int contains(const int *v, unsigned n, int x) {
  for (unsigned i = 0; i < n; i++)
    if (v[i] == x) return 1;
  return 0;
}
int find(const float *v, int n, float eps)
{
    int i;
    for (i = 0; i < n; i++) {
        float d = v[i] * v[i];
        if (d > eps)
            return i;
    }
    return -1;
}
int zero_row(const float *a, int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i * m + j] != 0) {
                return 0;
            }
    return 1;
}
