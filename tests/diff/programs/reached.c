// What each of many points adds to all that it reaches: from where to where data say, anew for each point.
// sizes: n=0,1,40,300 size=0,5,100 w=0,1,33 h=0,20
#include <pencil.h>

/* integers, by atomics */
void counts(int n, int size, const int first[static const restrict n], const int last[static const restrict n],
            const int e[static const restrict n], int g[static const restrict size]) {
#pragma scop
    for (int s = 0; s < n; s++)
        for (int x = first[s]; x <= last[s]; x++)
            if (x >= 0 && x < size)
                g[x] += e[s];
#pragma endscop
}

/* floats, which stay in order; the ends in variables, cut to what there is */
void gridded(int n, int size, const int middle[static const restrict n], const float e[static const restrict n],
             float g[static const restrict size]) {
#pragma pencil independent reduction(+: g)
    for (int s = 0; s < n; s++) {
        int first = middle[s] - 2, last = middle[s] + 2;
        if (first < 0)
            first = 0;
        if (last > size - 1)
            last = size - 1;
        for (int x = first; x <= last; x++)
            g[x] += e[s] / (1 + (x - middle[s]) * (x - middle[s]));
    }
}

/* boxes of a picture */
void boxes(int n, int w, int h, const int x0[static const restrict n], const int x1[static const restrict n],
           const int y0[static const restrict n], const int y1[static const restrict n],
           int picture[static const restrict h][w]) {
#pragma pencil independent reduction(+: picture)
    for (int s = 0; s < n; s++)
        for (int y = y0[s]; y < y1[s]; y++)
            for (int x = x0[s]; x < x1[s]; x++)
                if (y >= 0 && y < h && x >= 0 && x < w)
                    picture[y][x] += s % 7 + 1;
}

/* the greatest that reaches it */
void covered(int n, int size, const int first[static const restrict n], const int last[static const restrict n],
             const int depth[static const restrict n], int z[static const restrict size]) {
#pragma scop
    for (int s = 0; s < n; s++)
        for (int x = first[s]; x < last[s]; x++)
            if (x >= 0 && x < size && depth[s] > z[x])
                z[x] = depth[s];
#pragma endscop
}

/* no two points reach one place, the pragma says: each is a thread's own */
void scaled(int n, int size, const int start[static const restrict n + 1], const int e[static const restrict n],
            int g[static const restrict size]) {
#pragma scop
#pragma pencil independent
    for (int s = 0; s < n; s++)
        for (int x = start[s]; x < start[s + 1]; x++)
            g[x] += e[s];
#pragma endscop
}
