#include <math.h>
#include <stddef.h>

struct track { float sum, most; int count; };

/* Sums and counts of one track: it is reached through its address, the weights through an array. */
static void add(struct track *t, const float *weight, int k, float x)
{
    float w = x * weight[k];
    t->sum += w;
    t->count++;
    if (fabsf(w) > t->most)
        t->most = fabsf(w);
}

/* The weighted means of rows of samples; how many are above the limit, if anybody wants to know. */
void weigh(const float *samples, const float *weight, int rows, int n, float *mean, float limit, int *above)
{
    int many = 0;
    for (int r = 0; r < rows; r++) {
        struct track t = {0, 0, 0};
        for (int k = 0; k < n; k++)
            add(&t, weight, k, samples[r * n + k]);
        mean[r] = t.count ? t.sum / t.count : 0.0f;
        if (t.most > limit)
            many++;
    }
    if (above != NULL)
        *above = many;
}
