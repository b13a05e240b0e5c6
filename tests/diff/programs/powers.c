// Sums of few elements in a loop that goes on from one to the next: each has an accumulator of its own.
// sizes: n=0,1,33,1009
#include <pencil.h>

void powers(int n, const double x[static const restrict n], double s[static const restrict 5]) {
#pragma scop
    for (int k = 0; k < 5; k++)
        s[k] = 0;
#pragma pencil independent reduction(+: s)
    for (int i = 0; i < n; i++) {
        double v = 1;
        for (int k = 0; k < 5; k++) {
            s[k] += v;
            v *= x[i];
        }
    }
#pragma endscop
}

/* integers, and in the order downwards */
void digits(int n, const unsigned x[static const restrict n], unsigned long long s[static const restrict 8]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        unsigned v = x[i];
        for (int k = 7; k >= 0; k--) {
            s[k] += v % 10;
            v /= 10;
        }
    }
#pragma endscop
}
