#include <float.h>
void topk(const float *x, int rows, int n, int k, float *val, int *idx)
{
    for (int r = 0; r < rows; r++) {
        float *v = val + r * k;
        int *id = idx + r * k;
        for (int j = 0; j < k; j++) { v[j] = -FLT_MAX; id[j] = -1; }
        for (int i = 0; i < n; i++) {
            float e = x[r * n + i];
            if (e <= v[k - 1]) continue;
            int j = k - 1;
            while (j > 0 && v[j - 1] < e) {
                v[j] = v[j - 1];
                id[j] = id[j - 1];
                j--;
            }
            v[j] = e;
            id[j] = i;
        }
    }
}
