#include <math.h>
#include <stdlib.h>
/* single head attention with a malloc'ed score row */
void attention(const float *q, const float *k, const float *v, float *out, int T, int d)
{
    float scale = 1.0f / sqrtf((float)d);
    float *att = (float *)malloc(T * sizeof(float));
    for (int t = 0; t < T; t++) {
        float mx = -1e30f;
        for (int u = 0; u <= t; u++) {
            float dot = 0;
            for (int i = 0; i < d; i++)
                dot += q[t * d + i] * k[u * d + i];
            att[u] = dot * scale;
            if (att[u] > mx) mx = att[u];
        }
        float sum = 0;
        for (int u = 0; u <= t; u++) {
            att[u] = expf(att[u] - mx);
            sum += att[u];
        }
        for (int i = 0; i < d; i++) {
            float acc = 0;
            for (int u = 0; u <= t; u++)
                acc += att[u] / sum * v[u * d + i];
            out[t * d + i] = acc;
        }
    }
    free(att);
}
