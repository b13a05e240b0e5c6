// sizes: w=0,1,33 h=0,1,7 c=1,3
// Loops over all elements of flattened arrays, beside subscripts by row and column; some that have to stay flat.
#include <stddef.h>
#include <pencil.h>

#define PIXELS w *h

static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
static int mixed(int k) { return k * 7 % 13; }

void beside(int w, int h, int img[static const restrict w * h]) {
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            img[y * w + x] = img[y * w + x] * 2;
    for (int k = 0; k < w * h; k++)
        img[k] = img[k] + k % 5;
#pragma endscop
}

void made_flat(int w, int h, int img[static const restrict h * w], int out[static const restrict w * h]) {
    int k;
#pragma scop
    int count = h * w;
    for (k = 0; k < count; ++k)
        img[k] = mixed(k);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            out[y * w + x] = img[y * w + x] - img[(h - 1 - y) * w + x];
    for (k = 0; k <= count - 1; ++k)
        out[k] += 1;
#pragma endscop
}

// The way in which kernels are written.
void divided(int w, int h, const int in[static const restrict w * h], int out[static const restrict w * h],
             int t[static const restrict h * w]) {
#pragma scop
    for (int k = 0; k < PIXELS; k++) {
        int y = k / w, x = k % w;
        int sum = in[k];
        if (x > 0)
            sum += in[y * w + x - 1];
        if (y < h - 1)
            sum += in[(y + 1) * w + x];
        out[k] = sum;
        t[x * h + y] = sum - x;
    }
    for (int k = 0; k < PIXELS; k++)
        if (k % w == 0 || k / w == h - 1)
            out[k] = -1;
#pragma endscop
}

void in_place(int w, int h, int img[static const restrict w * h]) {
#pragma scop
    for (int k = 0; k < w * h; k++)
        if (k % w > 0)
            img[k] += img[k - 1];
#pragma endscop
}

void wide(size_t w, size_t h, const int in[static const restrict w * h], int out[static const restrict w * h]) {
#pragma scop
    const size_t n = w * h;
    for (size_t y = 0; y < h; y++)
        for (size_t x = 0; x < w; x++)
            out[y * w + x] = in[y * w + w - 1 - x];
    for (size_t k = 0; k < n; k++)
        out[k] = out[k] * 3 + (int)k;
#pragma endscop
}

void cast(int w, int h, const int in[static const restrict w * h], int out[static const restrict w * h]) {
#pragma scop
    for (size_t k = 0; k < (size_t)w * h; k++)
        out[k] = in[k] / 2;
    for (int y = 1; y < h; y++)
        for (int x = 0; x < w; x++)
            out[y * w + x] += in[(y - 1) * w + x];
#pragma endscop
}

void backwards(int w, int h, int img[static const restrict w * h]) {
#pragma scop
    for (int k = w * h - 1; k >= 0; k--)
        img[k] = img[k] / 3 + k;
    for (int y = 0; y < h; y++)
        for (int x = 1; x < w; x++)
            img[y * w + x] += img[y * w + x - 1];
    for (int k = w * h; k-- > 0;)
        img[k] -= 4;
#pragma endscop
}

void inner_rows(int w, int h, const int in[static const restrict w * h], int out[static const restrict w * h]) {
#pragma scop
    if (h > 0)
        for (int x = 0; x < w; x++)
            out[x] = in[x];
    for (int k = w; k < (h - 1) * w; k++)
        out[k] = in[k - w] + in[k + w];
    for (int y = 1; y < h; y++)
        for (int x = 0; x < w; x++)
            if (y == h - 1)
                out[y * w + x] = in[y * w + x];
#pragma endscop
}

void colours(int w, int h, unsigned char rgb[static const restrict 3 * w * h], int grey[static const restrict w * h]) {
#pragma scop
    for (int k = 0; k < 3 * w * h; k++)
        rgb[k] = rgb[k] / 2 + k % 3;
    for (int k = 0; k < w * h; k++)
        grey[k] = rgb[3 * k] + 2 * rgb[3 * k + 1] + rgb[3 * k + 2];
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int i = 0; i < 3; i++)
                rgb[(y * w + x) * 3 + i] += grey[y * w + x] % 5;
#pragma endscop
}

void channels(int w, int h, int c, int img[static const restrict c * h * w], int sums[static const restrict h * w]) {
#pragma scop
    for (int i = 0; i < c; i++)
        for (int k = 0; k < h * w; k++)
            img[i * h * w + k] -= i;
    for (int i = 0; i < c; i++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                img[(i * h + y) * w + x] *= 3;
    for (int k = 0; k < h * w; k++) {
        int sum = 0;
        for (int i = 0; i < c; i++)
            sum += img[i * h * w + k];
        sums[k] = sum;
    }
    for (int k = 0; k < c * h * w; k++)
        img[k] += 1;
#pragma endscop
}

void volume(int w, int h, int c, const int in[static const restrict c * h * w], int out[static const restrict c * h * w]) {
#pragma scop
    for (int k = 0; k < w * h * c; k++) {
        const int x = k % w, y = k / w % h, z = k / (w * h);
        out[(z * h + y) * w + x] = in[k] + x - y;
        if (z > 0)
            out[(z * h + y) * w + x] += in[((z - 1) * h + y) * w + x];
    }
#pragma endscop
}

void row_sums(int w, int h, const int a[static const restrict h * w], int rows[static const restrict h],
              int columns[static const restrict w], int total[static const restrict 1]) {
#pragma scop
    for (int y = 0; y < h; y++)
        rows[y] = 0;
    for (int x = 0; x < w; x++)
        columns[x] = 0;
    for (int k = 0; k < h * w; k++) {
        rows[k / w] += a[k];
        columns[k % w] += a[k];
    }
    int sum = 0;
    for (int k = 0; k < h * w; k++)
        sum += a[k] * (k % w);
    total[0] = sum;
#pragma endscop
}

int marked(int w, int h, int a[static const restrict h * w]) {
    int sum = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            a[y * w + x] += x;
#pragma pencil independent reduction(+ : sum)
    for (int k = 0; k < h * w; k++)
        sum += a[k];
    return sum;
}

int built_in(int w, int h, int a[static const restrict h * w]) {
    int sum;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            a[y * w + x] += x;
    __pencil_reduction_var_init(&sum, zero);
    for (int k = 0; k < h * w; k++)
        __pencil_reduction(&sum, a[k], add);
    return sum;
}

void bordered(int w, int h, int a[static const restrict (h + 2) * (w + 2)], int b[static const restrict h * w]) {
#pragma scop
    const int pitch = w + 2;
    for (int k = 0; k < (h + 2) * (w + 2); k++)
        a[k] = a[k] & 255;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            b[y * w + x] = a[(y + 1) * pitch + x] + a[(y + 1) * pitch + x + 2] + a[y * pitch + x + 1];
    for (int k = 0; k < h * w; k++)
        b[k] = -b[k];
#pragma endscop
}

void square(int w, int a[static const restrict w * w], const int b[static const restrict w * w]) {
#pragma scop
    for (int i = 0; i < w; i++)
        for (int j = 0; j < w; j++)
            a[i * w + j] = b[j * w + i];
    for (int i = 0; i < w * w; i++)
        a[i] += b[i];
#pragma endscop
}

void of_the_region(int w, int h, int out[static const restrict h * w]) {
#pragma scop
    int t[h * w];
    for (int k = 0; k < h * w; k++)
        t[k] = out[k] * 2;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            out[y * w + x] = t[y * w + x] + t[y * w];
#pragma endscop
}

// What stays flat: elements beyond the row, conditions on the counter, another array.
void staying(int w, int h, int a[static const restrict h * w], int b[static const restrict h * w],
             int c[static const restrict h * w], int d[static const restrict 2 * h + w]) {
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            a[y * w + x] += x;
            b[y * w + x] += y;
            c[y * w + x] -= y;
        }
    for (int i = 1; i < w * h; i++)
        a[i] += a[i - 1];
    for (int i = 0; i < w * h; i++)
        if (i < 5)
            b[i] = 3;
    for (int i = 0; i < w * h; i++)
        if (i < 2 * h + w)
            d[i] = c[i];
#pragma endscop
}
