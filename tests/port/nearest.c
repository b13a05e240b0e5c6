#include <float.h>

/* The nearest of `groups` centres for each of `count` points of `dims` coordinates; returns the sum of the distances. */
double nearest_centres(const float *point, int count, int dims, const float *centre, int groups, int *choice)
{
    double spread = 0;
    for (int p = 0; p < count; p++) {
        float least = FLT_MAX;
        int chosen = -1;
        for (int g = 0; g < groups; g++) {
            float distance = 0;
            for (int x = 0; x < dims; x++) {
                float apart = point[p * dims + x] - centre[g * dims + x];
                distance += apart * apart;
            }
            if (distance < least) {
                least = distance;
                chosen = g;
            }
        }
        choice[p] = chosen;
        spread += least;
    }
    return spread;
}
