// sizes: n=0,1,33
// Tables of integers that choose elements of small arrays, or stand beside them: of types that convert their initialisers.
static const unsigned char t[3] = {300, -1, 1};
static const signed char u[3] = {200, -1, 1};
static const unsigned w[3] = {1, 2, 4000000000u};
static const long long big[3] = {1, -5000000000, 7};
static const short sh[3] = {-3, -1, -2};
void tables(int n, const float x[static const restrict n][3], float y[static const restrict n],
            unsigned z[static const restrict n], long long q[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float d[3];
        for (int k = 0; k < 3; k++)
            d[k] = x[i][k] * t[k] + u[k];
        float s = 0;
        unsigned a = 0;
        long long b = 0;
        for (int k = 0; k < 3; k++) {
            s += d[2 - k] * t[k];
            a = a * 3 + (w[k] - 2) / 3 + (t[k] >> 1) + (sh[k] >> 1);
            b += big[k] * (w[k] - 2) + ~u[k] + (long long)d[sh[k] + 3] / (w[k] + 1);
        }
        y[i] = s;
        z[i] = a;
        q[i] = b;
    }
#pragma endscop
}
