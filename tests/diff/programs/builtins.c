// sizes: n=0,1,33,300
// Assume, kill and assert in a region.
#include <pencil.h>
void f(int n, float a[static const restrict n], float b[static const restrict n]) {
    __pencil_assert(n >= 0);
    __pencil_assume(n < 100000);
    for (int i = 0; i < n; i++) {
        float t = a[i] * 3;
        __pencil_kill(b[i]);
        b[i] = t;
        __pencil_kill(t);
    }
    #pragma pencil independent
    for (int i = 0; i < n; i++) { b[i] += 1; }
}
