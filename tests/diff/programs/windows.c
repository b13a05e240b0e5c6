// Windows that are reduced for each point of an image, as people write them: borders, holes, counters that are places.
// sizes: h=1,2,33 w=1,18,70
#include <pencil.h>
#include <stdint.h>

static void none(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
static void zero(float *v) { *v = 0; }
static float sum(float a, float b) { return a + b; }
static void least(float *v) { *v = -1e30f; }
static float larger(float a, float b) { return a > b ? a : b; }

// What lies outside of the image counts nothing.
void zero_padded(int h, int w, const uint8_t a[static const restrict h][w], int b[static const restrict h][w]) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int c;
            __pencil_reduction_var_init(&c, none);
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (y + dy >= 0 && y + dy < h && x + dx >= 0 && x + dx < w)
                        __pencil_reduction(&c, a[y + dy][x + dx], add);
            b[y][x] = c;
        }
}

// The same with names for the places, and without the point itself.
void neighbours(int h, int w, const uint8_t a[static const restrict h][w], uint8_t b[static const restrict h][w]) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int c;
            __pencil_reduction_var_init(&c, none);
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dy != 0 || dx != 0) {
                        int yy = y + dy, xx = x + dx;
                        if (yy >= 0 && yy < h && xx >= 0 && xx < w)
                            __pencil_reduction(&c, a[yy][xx] & 1, add);
                    }
            b[y][x] = c == 3 || ((a[y][x] & 1) && c == 2);
        }
}

// Counters that are places.
void places(int h, int w, const float a[static const restrict h][w], float b[static const restrict h][w]) {
    for (int y = 2; y < h - 2; y++)
        for (int x = 2; x < w - 2; x++) {
            float m;
            __pencil_reduction_var_init(&m, least);
            for (int i = y - 2; i <= y + 2; i++)
                for (int j = x - 2; j <= x + 2; j++)
                    __pencil_reduction(&m, a[i][j], larger);
            b[y][x] = m;
        }
}

// Counters that are places, and ends that the border cuts.
void cut(int h, int w, const float a[static const restrict h][w], float b[static const restrict h][w]) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int y0 = y > 0 ? y - 1 : 0, y1 = y + 1 < h ? y + 1 : h - 1;
            int x0 = x > 1 ? x - 2 : 0, x1 = x + 2 < w ? x + 2 : w - 1;
            float m;
            __pencil_reduction_var_init(&m, least);
            for (int i = y0; i <= y1; i++)
                for (int j = x0; j <= x1; j++)
                    __pencil_reduction(&m, a[i][j], larger);
            b[y][x] = m;
        }
}

// One direction at a time: only the one across the memory has what points share.
void vertical(int h, int w, const float a[static const restrict h][w], const float k[static const restrict 5],
              float b[static const restrict h][w]) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float s;
            __pencil_reduction_var_init(&s, zero);
            for (int i = -2; i <= 2; i++)
                if (0 <= y + i && y + i < h)
                    __pencil_reduction(&s, k[i + 2] * a[y + i][x], sum);
            b[y][x] = s;
        }
}

// Sums and extremes of one window, and how many points it has.
void several(int h, int w, const float a[static const restrict h][w], float b[static const restrict h][w],
             float c[static const restrict h][w]) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float s, m;
            int n;
            __pencil_reduction_var_init(&s, zero);
            __pencil_reduction_var_init(&m, least);
            __pencil_reduction_var_init(&n, none);
            for (int i = y - 1; i <= y + 1; i++)
                for (int j = x - 1; j <= x + 1; j++) {
                    if (i < 0 || i >= h || j < 0 || j >= w) continue;
                    __pencil_reduction(&s, a[i][j], sum);
                    __pencil_reduction(&m, a[i][j], larger);
                    __pencil_reduction(&n, 1, add);
                }
            b[y][x] = s / n;
            c[y][x] = m;
        }
}

// A window of a batch, whose layers have nothing to do with each other.
void batch(int h, int w, const float a[static const restrict 3][h][w], float b[static const restrict 3][h][w]) {
    for (int l = 0; l < 3; l++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                float m;
                __pencil_reduction_var_init(&m, least);
                for (int i = -1; i <= 1; i++)
                    for (int j = -1; j <= 1; j++)
                        if (y + i >= 0 && y + i < h && x + j >= 0 && x + j < w)
                            __pencil_reduction(&m, a[l][y + i][x + j], larger);
                b[l][y][x] = m;
            }
}

// Generations of a game: windows of bytes in a loop over time.
void generations(int h, int w, uint8_t a[static const restrict h][w], uint8_t b[static const restrict h][w]) {
    for (int t = 0; t < 3; t++) {
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                int c;
                __pencil_reduction_var_init(&c, none);
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++)
                        if ((dy != 0 || dx != 0) && y + dy >= 0 && y + dy < h && x + dx >= 0 && x + dx < w)
                            __pencil_reduction(&c, a[y + dy][x + dx] & 1, add);
                b[y][x] = c == 3 || ((a[y][x] & 1) && c == 2);
            }
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                a[y][x] = b[y][x];
    }
}
