// Arithmetic with truth values, narrow members and enumerations, which C does in int.
// sizes: n=0,1,33
#include <pencil.h>
#include <stdbool.h>
#include <stdlib.h>

enum mode { OFF, ON = 3 };
typedef struct { bool set; unsigned char n; enum mode m; } Cell;
static int width(bool wide, unsigned char c) { return wide ? c : 'a'; }
static _Bool flip(_Bool b) { return !b; }
void flags(int n, const int a[static const restrict n], bool b[static const restrict n],
           unsigned char c[static const restrict n], Cell q[static const restrict n],
           int o[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int s = (int)sizeof(a[i] < 3) + (int)sizeof('a') + (int)sizeof(c[i]);
        b[i] += a[i];
        b[i] = b[i] & (a[i] > 0);
        b[i] ^= 1;
        b[i] |= flip(b[i]);
        c[i] += a[i] > 2;
        c[i] <<= 1;
        q[i].set = a[i];
        q[i].n = (unsigned char)(q[i].n - 1);
        q[i].m = a[i] > 0 ? ON : OFF;
        enum mode m = q[i].m;
        o[i] = s + -b[i] + ~(a[i] > 3) + width(b[i], c[i])
             + (a[i] == 0) * 5 + (!a[i] << 2) + m + (b[i] < c[i]) + abs(a[i] > 1)
             + min(q[i].m, i) + max(b[i], 0) + min(b[i], c[i]);
        o[i] += (a[i] > 0 && i > 2 || b[i]) + (a[i] > 0 == i > 3) + (i < a[i] < 4);
    }
#pragma endscop
}
