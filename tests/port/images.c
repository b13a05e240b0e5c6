#include <math.h>

struct image {
    int width, height, channels;
    unsigned char *pixels;
};

static float lerp(float a, float b, float t) { return a + (b - a) * t; }

static int imin(int a, int b) { return a < b ? a : b; }

void resize_bilinear(const struct image *src, struct image *dst)
{
    float sx = (float)src->width / dst->width;
    float sy = (float)src->height / dst->height;
    for (int y = 0; y < dst->height; y++) {
        float fy = y * sy;
        int y0 = (int)fy, y1 = imin(y0 + 1, src->height - 1);
        for (int x = 0; x < dst->width; x++) {
            float fx = x * sx;
            int x0 = (int)fx, x1 = imin(x0 + 1, src->width - 1);
            for (int c = 0; c < src->channels; c++) {
                float p00 = src->pixels[(y0 * src->width + x0) * src->channels + c];
                float p01 = src->pixels[(y0 * src->width + x1) * src->channels + c];
                float p10 = src->pixels[(y1 * src->width + x0) * src->channels + c];
                float p11 = src->pixels[(y1 * src->width + x1) * src->channels + c];
                float top = lerp(p00, p01, fx - x0), bottom = lerp(p10, p11, fx - x0);
                dst->pixels[(y * dst->width + x) * src->channels + c] = (unsigned char)(lerp(top, bottom, fy - y0) + 0.5f);
            }
        }
    }
}
