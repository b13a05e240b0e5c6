// What is written before it is read is not copied to the device, and what may be read first is.
// sizes: n=0,1,33,1009 k=0,3
#include <pencil.h>

void written_first(int n, const unsigned in[static const restrict n], unsigned chain[static const restrict n],
                   unsigned scaled[static const restrict n], unsigned before[static const restrict n],
                   unsigned tail[static const restrict n], unsigned some[static const restrict n],
                   unsigned late[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) chain[i] = in[i] * 2;
    for (int i = 1; i < n; i++) chain[i] = chain[i] + chain[i - 1];
    for (int i = 0; i < n; i++) {
        scaled[i] = 1;
        for (int j = 0; j < n; j++) scaled[i] += in[j] * in[i];
    }
    for (int i = 0; i < n; i++) scaled[i] = scaled[i] * 2;
    for (int i = 0; i < n; i++) before[i] = before[i] + chain[i];
    for (int i = 1; i < n; i++) tail[i] = in[i];
    for (int i = 0; i < n; i++) tail[i] = tail[i] * scaled[i];
    for (int i = 0; i < n; i++)
        if (in[i] > 3) some[i] = 5;
    for (int i = 0; i < n; i++) some[i] = some[i] ^ in[i];
    for (int i = 0; i < n; i++) late[n - 1 - i] = i ? late[n - i] + in[i] : 0;
#pragma endscop
}

// In rounds: the first of them reads what the last one has left, or what was there.
void in_rounds(int n, int k, const unsigned in[static const restrict n], unsigned fresh[static const restrict n],
               unsigned old[static const restrict n], unsigned sum[static const restrict 1]) {
#pragma scop
    for (int t = 0; t < k; t++) {
        for (int i = 0; i < n; i++) fresh[i] = in[i] + t;
        sum[0] = 0;
        for (int i = 0; i < n; i++) sum[0] += fresh[i];
        for (int i = 0; i < n; i++) old[i] = fresh[n - 1 - i] + sum[0] + old[i];
    }
#pragma endscop
}
