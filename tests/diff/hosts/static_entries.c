#include <stdio.h>
#include <stdlib.h>
#include <pencil.h>
struct point { int x, y; };
static void pzero(struct point *p) { p->x = 0; p->y = 0; }
static struct point padd(struct point a, struct point b) { struct point r = { a.x + b.x, a.y + b.y }; return r; }
static void blur(int rows, int cols, int step, const float src[static const restrict rows][step],
                 float dst[static const restrict rows][step])
{
#pragma scop
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < cols - 1; j++)
            dst[i][j] = (src[i - 1][j] + src[i + 1][j] + src[i][j - 1] + src[i][j + 1]) * 0.25f;
#pragma endscop
}
/* the public benchmarks' form: a host wrapper that casts */
void pencil_blur(int rows, int cols, int step, const float *src, float *dst)
{
    blur(rows, cols, step, (const float (*)[step])src, (float (*)[step])dst);
}
static struct point centre(int n, const struct point p[static const restrict n])
{
    struct point c;
    __pencil_reduction_var_init(&c, pzero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&c, p[i], padd);
    return c;
}
int main(void)
{
    int rows = 7, cols = 9, step = 12;
    float *a = malloc(rows * step * sizeof *a), *b = malloc(rows * step * sizeof(float));
    for (int i = 0; i < rows * step; i++) { a[i] = (float)(i % 13); b[i] = 0; }
    pencil_blur(rows, cols, step, a, b);
    float s = 0;
    for (int i = 0; i < rows * step; i++) s += b[i];
    struct point pts[5] = { {1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10} };
    struct point c = centre(5, pts);
    printf("%g %d %d\n", s, c.x, c.y);
    free(a); free(b);
    return 0;
}
