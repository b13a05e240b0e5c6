// Counters that are declared in front of the loops, beside others of the same name.
// sizes: n=0,1,40 m=0,7 w=9 r=0,2
#include <pencil.h>

/* a counter of the loop's own that its body does not read, then the outer one */
int twice(int n, int m, const int a[static const restrict n], int b[static const restrict n]) {
    int j = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            b[i] = b[i] * 3 + a[i];
        for (j = 0; j < m; j++)
            b[i] -= j;
    }
#pragma endscop
    return j;
}

/* scalars of each iteration whose memory the sizes decide about, so that the loops stand there twice */
void sums(int w, int r, short out[static const restrict 64 * r * r + 64 * r + 16],
          const short f[static const restrict 19 * w + 19]) {
    int rx, ry, bx, by;
#pragma scop
    int side = 2 * r + 1;
    for (ry = -r; ry <= r; ry++)
        for (rx = -r; rx <= r; rx++)
            for (by = 0; by < 4; by++)
                for (bx = 0; bx < 4; bx++) {
                    int s = 0;
                    for (int y = 0; y < 4; y++)
                        for (int x = 0; x < 4; x++)
                            s += f[(by * 4 + y) * w + bx * 4 + x];
                    out[(by * 4 + bx) * side * side + (2 * r + 1) * ry + 2 * r * r + 2 * r + rx] = s;
                }
#pragma endscop
}
