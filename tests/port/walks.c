/* Image and audio code as it is written with pointers that walk. */
#include <stdint.h>
#include <stdlib.h>

float energy(const float *samples, int count)
{
    const float *p = samples;
    const float *end = samples + count;
    float sum = 0.0f;

    while (p < end) {
        sum += *p * *p;
        p++;
    }
    return sum;
}

void gain(float *dst, const float *src, float g, int n)
{
    while (n-- > 0)
        *dst++ = g * *src++;
}

float peak(const float *buf, int n)
{
    float best = 0.0f;
    for (const float *p = buf; p != buf + n; p++)
        if (*p > best)
            best = *p;
    return best;
}

void gray(const uint8_t *rgb, uint8_t *out, int npix)
{
    const uint8_t *p = rgb;
    for (int i = 0; i < npix; i++, p += 3)
        out[i] = (uint8_t)((p[0] * 77 + p[1] * 150 + p[2] * 29) >> 8);
}

long sad(const uint8_t *a, int astride, const uint8_t *b, int bstride, int w, int h)
{
    long sum = 0;
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++)
            sum += abs(a[x] - b[x]);
        a += astride;
        b += bstride;
    }
    return sum;
}

void flip(const uint8_t *src, uint8_t *dst, int w, int h)
{
    const uint8_t *s = src + (h - 1) * w;
    for (int y = 0; y < h; y++, s -= w)
        for (int x = 0; x < w; x++)
            *dst++ = s[x];
}

void crop(const float *src, float *dst, int w, int h, int stride)
{
    int y, x;
    for (y = h; y--; src += stride - w)
        for (x = 0; x < w; x++)
            *dst++ = *src++;
}

float positive(const float *a, int n)
{
    float s = 0;
    for (const float *p = a, *e = a + n; p < e; p++) {
        if (*p < 0)
            continue;
        s += *p;
    }
    return s;
}

typedef struct { double x, y, vx, vy, m; } body;

void drift(body *b, int n, double dt)
{
    for (body *p = b; p < b + n; p++) {
        p->x += p->vx * dt;
        p->y += p->vy * dt;
    }
}
