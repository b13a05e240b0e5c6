// Functions that are called as what is made for a detected reduction would be: its operator, what sets its first value, and
// what chooses the best place.
// sizes: n=0,1,33,300
#include <float.h>
#include <pencil.h>

int add_int(int n, const int a[static const restrict n]) {
    int s = 5;
#pragma scop
    for (int i = 0; i < n; i++)
        s += a[i];
#pragma endscop
    return s;
}

long min_long(int n, const long a[static const restrict n], long least[static const restrict 1]) {
#pragma scop
    long m = 7;
    for (int i = 0; i < n; i++)
        m = a[i] < m ? a[i] : m;
    least[0] = m;
#pragma endscop
    return m;
}

unsigned set_0_unsigned_int(int n, const unsigned a[static const restrict n], unsigned r[static const restrict 1]) {
#pragma scop
    unsigned b = 0;
    for (int i = 0; i < n; i++)
        b |= a[i];
    r[0] = b;
#pragma endscop
    return b;
}

void chosen_of_Least_float_int(int n, const float a[static const restrict n], int r[static const restrict 1]) {
#pragma scop
    float m = FLT_MAX;
    int at = -1;
    for (int i = 0; i < n; i++)
        if (a[i] < m) {
            m = a[i];
            at = i;
        }
    r[0] = at;
#pragma endscop
}
