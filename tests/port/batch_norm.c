#include <math.h>
#include <stdlib.h>
void batch_norm(float *y, const float *x, const float *gamma, const float *beta, float *run_mean, float *run_var,
                unsigned n, unsigned c, unsigned hw, float momentum, float eps, int training)
{
    for (unsigned ch = 0; ch < c; ch++) {
        float mean, var;
        if (training) {
            double s = 0, q = 0;
            for (unsigned b = 0; b < n; b++) {
                const float *p = x + (b * c + ch) * hw;
                for (unsigned i = 0; i < hw; i++) {
                    s += p[i];
                    q += (double)p[i] * p[i];
                }
            }
            mean = s / (n * hw);
            var = q / (n * hw) - mean * mean;
            run_mean[ch] = (1 - momentum) * run_mean[ch] + momentum * mean;
            run_var[ch] = (1 - momentum) * run_var[ch] + momentum * var;
        } else {
            mean = run_mean[ch];
            var = run_var[ch];
        }
        float scale = gamma[ch] / sqrtf(var + eps), shift = beta[ch] - mean * scale;
        for (unsigned b = 0; b < n; b++) {
            const float *p = x + (b * c + ch) * hw;
            float *o = y + (b * c + ch) * hw;
            for (unsigned i = 0; i < hw; i++)
                o[i] = p[i] * scale + shift;
        }
    }
}
