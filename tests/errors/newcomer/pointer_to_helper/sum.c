#include <pencil.h>
static float row(int w, const float a[static const restrict w])
{
    float s = 0;
    for (int x = 0; x < w; x++)
        s += a[x];
    return s;
}

void rows(int h, int w, const float a[static const restrict h * w], float r[static const restrict h])
{
#pragma scop
    for (int y = 0; y < h; y++)
        r[y] = row(w, a + y * w);
#pragma endscop
}
