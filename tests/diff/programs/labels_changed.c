// What is counted where a label changes, before or behind it is set, beside floating sums of each label, in order.
// sizes: n=0,1,40,300 k=1,7 d=1,3
#include <pencil.h>

/* a step of k-means as most write it */
void step(int n, int k, int d, const float x[static const restrict n][d], float c[static const restrict k][d],
          int label[static const restrict n], int count[static const restrict k],
          float sum[static const restrict k][d], int changed[static const restrict 1]) {
#pragma scop
    changed[0] = 0;
    for (int j = 0; j < k; j++) {
        count[j] = 0;
        for (int f = 0; f < d; f++)
            sum[j][f] = 0;
    }
#pragma pencil independent reduction(+: changed, count, sum)
    for (int i = 0; i < n; i++) {
        float best = 1e30f;
        int at = 0;
        for (int j = 0; j < k; j++) {
            float distance = 0;
            for (int f = 0; f < d; f++)
                distance += (x[i][f] - c[j][f]) * (x[i][f] - c[j][f]);
            if (distance < best) {
                best = distance;
                at = j;
            }
        }
        if (label[i] != at)
            changed[0]++;
        label[i] = at;
        count[at]++;
        for (int f = 0; f < d; f++)
            sum[at][f] += x[i][f];
    }
    for (int j = 0; j < k; j++)
        if (count[j] > 0)
            for (int f = 0; f < d; f++)
                c[j][f] = sum[j][f] / count[j];
#pragma endscop
}

/* the old one is kept; the count and a flag */
int kept(int n, int k, const float x[static const restrict n], const int next[static const restrict n],
         int label[static const restrict n], float sum[static const restrict k], int again[static const restrict 1]) {
    int changed = 0;
#pragma scop
    again[0] = 0;
#pragma pencil independent reduction(+: changed, sum)
    for (int i = 0; i < n; i++) {
        int old = label[i], at = (next[i] & 2147483647) % k;
        label[i] = at;
        if (old != at)
            changed++;
        if (old > at)
            again[0] = 1;
        sum[at] += x[i];
    }
#pragma endscop
    return changed;
}

/* before it is set, behind it, and by the new one */
void between(int n, int k, const float x[static const restrict n], const int next[static const restrict n],
             int label[static const restrict n], float sum[static const restrict k],
             int changed[static const restrict 3]) {
#pragma scop
#pragma pencil independent reduction(+: changed, sum)
    for (int i = 0; i < n; i++) {
        int at = (next[i] & 2147483647) % k;
        changed[0] += label[i] != at;
        if (label[i] != at) {
            changed[1]++;
            label[i] = at;
        }
        if (label[i] == k / 2)
            changed[2]++;
        sum[label[i]] += x[i];
    }
#pragma endscop
}

/* the element goes on: what the update reads is what is left of it */
void taken(int n, int k, float x[static const restrict n], const int at[static const restrict n],
           float sum[static const restrict k]) {
#pragma scop
#pragma pencil independent reduction(+: sum)
    for (int i = 0; i < n; i++) {
        x[i] = x[i] * 0.5f;
        sum[(at[i] & 2147483647) % k] += x[i];
        x[i] = x[i] - 1;
    }
#pragma endscop
}
