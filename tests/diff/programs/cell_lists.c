/* Neighbours by cells of a grid, whose number is a product: rows begin where it says. */
#include <pencil.h>

void densities(int n, int w, const int cx[static const restrict n], const int cy[static const restrict n],
               const int start[static const restrict w * w + 1], const unsigned x[static const restrict n],
               unsigned rho[static const restrict n])
{
    __pencil_assume(w >= 3);
#pragma scop
    for (int i = 0; i < n; i++) {
        unsigned r = 0;
        int x0 = (cx[i] & 7) % (w - 2), y0 = (cy[i] & 7) % (w - 2);
        for (int yy = y0; yy <= y0 + 2; yy++)
            for (int xx = x0; xx < x0 + 3; xx++) {
                int c = yy * w + xx;
                for (int k = start[c]; k < start[c + 1]; k++)
                    r += x[k] * x[i];
            }
        rho[i] = r;
    }
#pragma endscop
}

/* All cells have the same neighbours beside them. */
void of_cells(int w, int m, const int start[static const restrict w * w + 1], const unsigned x[static const restrict m],
              unsigned s[static const restrict w][w])
{
#pragma scop
    for (int y = 0; y < w; y++)
        for (int z = 0; z < w; z++) {
            unsigned r = 1;
            int c = y * w + z, first = start[c], last = start[c + 1];
            for (int k = first; k < last; k++)
                r += x[k];
            s[y][z] = r;
        }
#pragma endscop
}

/* What the number is made of changes before the rows are gone through. */
void moved_on(int n, int w, const int start[static const restrict w * w + 1], const unsigned x[static const restrict n],
              unsigned s[static const restrict w])
{
#pragma scop
    for (int y = 0; y < w; y++) {
        unsigned r = 0;
        int at = 0;
        for (int z = 0; z < w - 1; z++) {
            int c = at * w + z;
            at = (at + 1) % 2;
            for (int k = start[c]; k < start[c + 1]; k++)
                r += x[k];
        }
        s[y] = r;
    }
#pragma endscop
}
