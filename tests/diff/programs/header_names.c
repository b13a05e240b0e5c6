// sizes: n=0,1,33,300
// Tables, and names that the headers of a generated file have taken.
#define PENCIL_NO_MATH
#include <pencil.h>
typedef struct { float x; int k[2]; } P;
enum { TAPS = 3, LAST = TAPS - 1 };
static const P pair = {1.5f, {2, 3}};
static const P pairs[2] = {{1, {2}}, {.k = {[1] = 4}}};
static const unsigned char gamma[256] = {0, 1, 2, [16] = 9, [200] = 77};
static const float weight[TAPS] = {0.25, 0.5, 0.25};
static const double half = 1 / 2.0;
static const unsigned char small = 300 - 100;
static const _Bool flag = 3;
static const int negative = -7;
static const long long big = 1LL << 40;
static const float zeros[2][8] = {{0}};
static const float inverse = 1.0 / 3;
static int looked(int k, const unsigned char t[static const restrict 256]) { return t[k & 255]; }
void f(int n, const unsigned char a[static const restrict n], float b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float s = gamma[a[i]] + pair.x + pairs[i % 2].k[1] + half + small + flag + negative + zeros[1][i % 8] + (float)(big >> 39);
        for (int k = 0; k < TAPS; k++) s += weight[k] * inverse;
        b[i] = s + weight[LAST] + looked(i, gamma);
    }
#pragma endscop
}
struct div { int index; };
static float round(float x) { return (float)(int)(x + 0.5f); }
static void free(float *x) { *x = 0; }
static float dim3(float a, float b) { return a + b; }
enum { abs = 4, y1 = 2 };
float f2(int n, struct div time, const float remove[static const restrict n]) {
    float read;
    __pencil_reduction_var_init(&read, free);
    for (int i = 0; i < n; i++) __pencil_reduction(&read, round(remove[i] * y1 + abs + time.index), dim3);
    return read;
}
