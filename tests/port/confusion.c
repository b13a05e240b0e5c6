#include <stdlib.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* counts[k * K + j]: how often class k was taken for class j.  Returns the accuracy. */
float confusion_matrix(const int *truth, const int *guess, size_t n, int K, unsigned *counts, float *f1)
{
    size_t right = 0;
    if (n == 0)
        return 0.0f;
    for (int i = 0; i < K * K; i++)
        counts[i] = 0;
    for (size_t i = 0; i < n; i++) {
        if (truth[i] < 0 || truth[i] >= K || guess[i] < 0 || guess[i] >= K)
            continue;
        counts[truth[i] * K + guess[i]]++;
        if (truth[i] == guess[i])
            right++;
    }
    for (int k = 0; k < K; k++) {
        unsigned tp = counts[k * K + k], fp = 0, fn = 0;
        for (int j = 0; j < K; j++) {
            if (j == k)
                continue;
            fp += counts[j * K + k];
            fn += counts[k * K + j];
        }
        f1[k] = tp ? 2.0f * tp / (2.0f * tp + fp + fn) : 0.0f;
    }
    return (float)right / n;
}
