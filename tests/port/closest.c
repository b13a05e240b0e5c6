#include <float.h>
static float dist2(const float *a, const float *b, int d)
{
    float s = 0;
    for (int k = 0; k < d; k++) {
        float t = a[k] - b[k];
        s += t * t;
    }
    return s;
}

void nearest(const float *x, int n, const float *c, int m, int d, int *label)
{
    for (int i = 0; i < n; i++) {
        float best = FLT_MAX;
        for (int j = 0; j < m; j++) {
            float q = dist2(x + i * d, &c[j * d], d);
            if (q < best) {
                best = q;
                label[i] = j;
            }
        }
    }
}
