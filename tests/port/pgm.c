/* reads a PGM image, blurs it and writes it again */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int width, height, maxval;
    unsigned char *data;
} pgm_t;

static int pgm_read(const char *name, pgm_t *img)
{
    FILE *f = fopen(name, "rb");
    char magic[3];
    if (!f)
        return -1;
    if (fscanf(f, "%2s %d %d %d", magic, &img->width, &img->height, &img->maxval) != 4 || strcmp(magic, "P5") != 0) {
        fclose(f);
        return -1;
    }
    fgetc(f);
    img->data = malloc((size_t)img->width * img->height);
    if (!img->data || fread(img->data, 1, (size_t)img->width * img->height, f) != (size_t)img->width * img->height) {
        fclose(f);
        return -1;
    }
    fclose(f);
    return 0;
}

static void blur3(const pgm_t *in, pgm_t *out)
{
    for (int y = 0; y < in->height; y++) {
        for (int x = 0; x < in->width; x++) {
            int sum = 0, count = 0;
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    int yy = y + dy, xx = x + dx;
                    if (yy < 0 || yy >= in->height || xx < 0 || xx >= in->width)
                        continue;
                    sum += in->data[yy * in->width + xx];
                    count++;
                }
            }
            out->data[y * in->width + x] = (unsigned char)(sum / count);
        }
    }
}

static double mean(const pgm_t *img)
{
    long total = 0;
    for (int i = 0; i < img->width * img->height; i++)
        total += img->data[i];
    return (double)total / (img->width * img->height);
}

int main(int argc, char **argv)
{
    pgm_t in, out;
    if (argc > 2) {
        if (pgm_read(argv[1], &in) != 0) {
            fprintf(stderr, "cannot read %s\n", argv[1]);
            return 1;
        }
    } else {
        in.width = 37;
        in.height = 21;
        in.maxval = 255;
        in.data = malloc((size_t)in.width * in.height);
        for (int i = 0; i < in.width * in.height; i++)
            in.data[i] = (unsigned char)(i * 31 % 251);
    }
    out = in;
    out.data = malloc((size_t)in.width * in.height);
    blur3(&in, &out);
    printf("mean before %.3f, after %.3f\n", mean(&in), mean(&out));
    if (argc > 2) {
        FILE *f = fopen(argv[2], "wb");
        if (!f)
            return 1;
        fprintf(f, "P5\n%d %d\n255\n", out.width, out.height);
        fwrite(out.data, 1, (size_t)out.width * out.height, f);
        fclose(f);
    }
    free(in.data);
    free(out.data);
    return 0;
}
