// sizes: n=0,1,7,33,300
// Constant globals, tables and enumerations.
#include <pencil.h>

enum { K = 3 };
typedef enum { RED, GREEN = 5, BLUE } colour;
static const float table[2 * K + 1] = {1, 2, 3, 4, 3, 2, 1};
static const int offs[K][2] = {{0, 1}, {1, 0}, {2, 2}};
const float scale = 1.0f / 16;
static const int N2 = 2;
void filtered(int n, colour c, const float a[static const restrict n], float b[static const restrict n]) {
#pragma scop
    for (int i = K; i < n - K; i++) {
        float s = 0;
        for (int k = -K; k <= K; k++) s += table[k + K] * a[i + k];
        b[i] = s * scale + offs[i % K][1] + (c == BLUE ? N2 : GREEN);
    }
#pragma endscop
}

typedef enum { FIRST = 1, SECOND, MINUS = -4 } kind;
enum mode { OFF, ON = 3 };
struct opt { enum mode m; kind e; };
void moded(int n, enum mode mode, struct opt o, kind e[static const restrict n], int b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        enum mode k = i % 2 ? ON : OFF;
        kind z = SECOND;
        if (o.m == k) z = MINUS;
        if (mode == ON) z = FIRST;
        e[i] = z;
        b[i] = e[i] + k;
    }
#pragma endscop
}
