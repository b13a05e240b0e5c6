// sizes: w=1,2,33 h=0,1,7,40 c=1,3
// Loops over products of sizes, as those are written: the product is a parameter of the model.
#include <stddef.h>
#include <pencil.h>

static void zero(double *v) { *v = 0; }
static double add(double a, double b) { return a + b; }
static void izero(int *v) { *v = 0; }
static int iadd(int a, int b) { return a + b; }

void all_elements(int w, int h, const float a[static const restrict w * h], float b[static const restrict w * h])
{
#pragma scop
    for (int k = 0; k < w * h; k++)
        b[k] = 2 * a[k];
#pragma endscop
}

// A variable for it, set at its declaration, later, or in a wider type; the factors in another order.
void totals(int w, int h, const float a[static const restrict w * h], float b[static const restrict w * h],
            float d[static const restrict w * h], float e[static const restrict w * h])
{
#pragma scop
    const int total = w * h;
    int count;
    for (int k = 0; k < total; k++)
        b[k] = a[k] + 1;
    count = h * w;
    for (int k = 0; k < count; k++)
        d[k] = a[count - 1 - k] + b[k];
    for (int k = total - 1; k >= 0; k--)
        e[k] = a[k] * 3;
#pragma endscop
}

void sizes(size_t w, size_t h, const float a[static const restrict w * h], float b[static const restrict w * h])
{
#pragma scop
    const size_t total = w * h;
    for (size_t k = 0; k < total; k++)
        b[k] = a[k] + 1;
#pragma endscop
}

void wide(int w, int h, const float a[static const restrict (long)w * h], float b[static const restrict (long)w * h])
{
#pragma scop
    for (long k = 0; k < (long)w * h; k++)
        b[k] = a[k] + 1;
#pragma endscop
}

void unsigned_sizes(unsigned w, unsigned h, const float a[static const restrict w * h], float b[static const restrict w * h])
{
#pragma scop
    for (unsigned k = 0; k < w * h; k++)
        b[k] = a[k] + 1;
#pragma endscop
}

// Three planes one behind the other, of which one is made.
void planes(int w, int h, const float rgb[static const restrict 3 * w * h], float grey[static const restrict w * h])
{
#pragma scop
    for (int k = 0; k < w * h; k++)
        grey[k] = 0.299f * rgb[k] + 0.587f * rgb[w * h + k] + 0.114f * rgb[2 * w * h + k];
#pragma endscop
}

// Conditions on them, and neighbours a row apart.
void shifted(int w, int h, const float a[static const restrict w * h], float b[static const restrict w * h])
{
#pragma scop
    for (int k = 0; k < w * h; k++) {
        if (k < w * h - w)
            b[k] = a[k + w] - a[k];
        else
            b[k] = 0;
    }
#pragma endscop
}

// Blocks of them.
void blocks(int w, int h, const float a[static const restrict w * h], float b[static const restrict w * h])
{
#pragma scop
    for (int first = 0; first < w * h; first += 16)
        for (int k = first; k < min(first + 16, w * h); k++)
            b[k] = a[k] - 1;
#pragma endscop
}

// The elements of a packed triangle.
double triangle(int h, const double a[static const restrict h * (h + 1) / 2], double b[static const restrict h * (h + 1) / 2])
{
    double s;
    __pencil_reduction_var_init(&s, zero);
    for (int k = 0; k < h * (h + 1) / 2; k++) {
        b[k] = a[k] * 0.5;
        __pencil_reduction(&s, a[k], add);
    }
    return s;
}

// Of three sizes, a row for each of them and a mean of all.
double rows(int w, int h, int c, const double a[static const restrict h][c * w], double s[static const restrict h])
{
    double all;
    __pencil_reduction_var_init(&all, zero);
    for (int i = 0; i < h; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int k = 0; k < c * w; k++)
            __pencil_reduction(&s[i], a[i][k], add);
        for (int k = 0; k < w * c; k++)
            __pencil_reduction(&all, a[i][k], add);
    }
    return all / (w * h * c + 1);
}

// The same, with the rows one behind the other.
void flat_rows(int w, int h, int c, const double x[static const restrict h * c * w], double y[static const restrict h * c * w])
{
    const int length = c * w;
    for (int i = 0; i < h; i++) {
        double s;
        __pencil_reduction_var_init(&s, zero);
        for (int k = 0; k < length; k++)
            __pencil_reduction(&s, x[i * length + k], add);
        for (int k = 0; k < length; k++)
            y[i * length + k] = x[i * length + k] - s / length;
    }
}

// All of three sizes, and the first plane beside each.
void volume(int w, int h, int c, const int a[static const restrict c * h * w], int b[static const restrict w * h * c])
{
#pragma scop
    for (int k = 0; k < c * h * w; k++)
        b[k] = a[k] + 1;
#pragma endscop
}

void first_plane(int w, int h, int c, const int a[static const restrict c * h * w], int b[static const restrict c * h * w])
{
#pragma scop
    for (int z = 0; z < c; z++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                b[(z * h + y) * w + x] = a[(z * h + y) * w + x] % 1000 - a[y * w + x] % 1000;
#pragma endscop
}

// Squares, and a region that a condition keeps from running.
int squares(int w, int h, int a[static const restrict w * w], int b[static const restrict w * w])
{
    int s;
    __pencil_reduction_var_init(&s, izero);
    if (h > 0) {
        for (int k = 0; k < w * w; k++)
            b[k] = a[k] % 100 + h;
    }
    for (int k = w; k < w * w - 1; k++)
        __pencil_reduction(&s, b[k] % 1000, iadd);
    return s;
}

// The names of the products are taken.
static double h_w(double x) { return x + 1; }
void named(int w, int h, double w_h, const double a[static const restrict w * h], double b[static const restrict w * h])
{
#pragma scop
    for (int k = 0; k < w * h; k++)
        b[k] = h_w(a[k]) + w_h;
#pragma endscop
}
