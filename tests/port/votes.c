/* k nearest neighbours, one vote each */
#include <float.h>
void knn(const float *train, const int *labels, int ntrain, const float *test, int *out, int ntest, int dim, int nclasses)
{
    for (int t = 0; t < ntest; t++) {
        float bestd[5];
        int bestl[5];
        for (int k = 0; k < 5; k++) { bestd[k] = FLT_MAX; bestl[k] = 0; }
        for (int i = 0; i < ntrain; i++) {
            float d = 0;
            for (int j = 0; j < dim; j++) {
                float e = train[i * dim + j] - test[t * dim + j];
                d += e * e;
            }
            int l = labels[i];
            for (int k = 0; k < 5; k++) {
                if (d < bestd[k]) {
                    float td = bestd[k]; int tl = bestl[k];
                    bestd[k] = d; bestl[k] = l;
                    d = td; l = tl;
                }
            }
        }
        int votes[16];
        for (int c = 0; c < nclasses; c++) votes[c] = 0;
        for (int k = 0; k < 5; k++) votes[bestl[k]]++;
        int best = 0;
        for (int c = 1; c < nclasses; c++) if (votes[c] > votes[best]) best = c;
        out[t] = best;
    }
}
