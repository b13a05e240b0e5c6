#include <math.h>

/* Weights of each row that add up to one. */
void weights(const float *score, float *weight, int rows, int length)
{
    for (int r = 0; r < rows; r++) {
        const float *from = &score[r * length];
        float *to = &weight[r * length];
        float most = from[0], sum = 0;
        for (int k = 1; k < length; k++)
            if (from[k] > most) most = from[k];
        for (int k = 0; k < length; k++) {
            to[k] = expf(from[k] - most);
            sum += to[k];
        }
        for (int k = 0; k < length; k++)
            to[k] /= sum;
    }
}
