/* A second counter that is one behind the first: the sides of polygons. */
#include <pencil.h>
#include <stddef.h>

struct point {
    int x, y;
};

static int crossings(size_t m, const struct point p[static const restrict m], struct point at)
{
    int inside = 0;
    for (size_t i = 0, j = m - 1; i < m; j = i++)
        if ((p[i].y > at.y) != (p[j].y > at.y) && at.x < p[i].x)
            inside = !inside;
    return inside;
}

void within(int n, size_t m, const struct point p[static const restrict m], const struct point at[static const restrict n],
            int in[static const restrict n])
{
#pragma scop
    for (int k = 0; k < n; k++) {
        int c = 0;
        for (int i = 0, j = (int)m - 1; i < (int)m; j = i++) {
            if ((p[i].y > at[k].y) == (p[j].y > at[k].y))
                continue;
            if ((long long)at[k].x * 2 < (long long)p[j].x + p[i].x)
                c = !c;
        }
        in[k] = c * 2 + crossings(m, p, at[k]);
    }
#pragma endscop
}

unsigned area(int n, const unsigned x[static const restrict n], const unsigned y[static const restrict n])
{
    unsigned s = 0;
    int i, j;
#pragma scop
    for (i = 0, j = n - 1; i < n; j = i, i++)
        s += (x[j] + x[i]) * (y[j] - y[i]);
#pragma endscop
    return s;
}

/* What it is behind the loop, where that ends early too, and where it has no iteration. */
void behind(int n, int first, const int x[static const restrict n], int r[static const restrict 4])
{
    __pencil_assume(first >= 0 && first <= n);
#pragma scop
    int i, j;
    for (j = -7, i = first; i < n; j = i, ++i)
        r[0] += x[i] ^ j;
    r[1] = j;
    for (i = 0, j = n; i < n; j = i++)
        if ((x[i] & 7) == 7)
            break;
    r[2] = j;
    r[3] = i;
#pragma endscop
}
