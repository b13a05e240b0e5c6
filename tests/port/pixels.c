#include <stdint.h>
#include <stddef.h>
typedef struct { uint8_t r, g, b; } rgb_t;
typedef struct { rgb_t *data; int width; int height; } image_t;

static uint8_t gray(rgb_t p) { return (uint8_t)((p.r * 77 + p.g * 150 + p.b * 29) >> 8); }

/* in place */
void to_gray(image_t *img)
{
    for (int i = 0; i < img->width * img->height; i++) {
        uint8_t g = gray(img->data[i]);
        img->data[i].r = g;
        img->data[i].g = g;
        img->data[i].b = g;
    }
}

void invert(rgb_t *px, int w, int h, int pitch)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            rgb_t *p = &px[y * pitch + x];
            p->r = 255 - p->r;
            p->g = 255 - p->g;
            p->b = 255 - p->b;
        }
}

float mean_luma(const image_t *img)
{
    float acc = 0;
    int n = img->width * img->height;
    for (int i = 0; i < n; i++)
        acc += gray(img->data[i]);
    return n ? acc / n : 0;
}
