/* Integers that count beside the counter of a loop, and heads that do more than count. */
typedef unsigned char byte;

void gray(const byte *rgb, byte *out, int n)
{
    int i, k = 0;
    for (i = 0; i < n; i++) {
        int r = rgb[k++];
        int g = rgb[k++];
        int b = rgb[k++];
        out[i] = (byte)((77 * r + 150 * g + 29 * b) >> 8);
    }
}

void interleave(const short *left, const short *right, short *out, int n)
{
    int i = 0, k = 0;
    while (i < n) {
        out[k] = left[i];
        out[k + 1] = right[i];
        k += 2;
        i++;
    }
}

void crop(const byte *from, int pitch, byte *to, int x0, int y0, int w, int h)
{
    int d = 0;
    for (int y = y0; y < y0 + h; y++)
        for (int x = x0; x < x0 + w; x++)
            to[d++] = from[y * pitch + x];
}

void mirror(byte *picture, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0, z = w - 1; x < z; x++, z--) {
            byte t = picture[y * w + x];
            picture[y * w + x] = picture[y * w + z];
            picture[y * w + z] = t;
        }
}

double ddot(int n, const double *x, int incx, const double *y, int incy)
{
    double s = 0;
    int i, ix = 0, iy = 0;
    for (i = 0; i < n; i++) {
        s += x[ix] * y[iy];
        ix += incx;
        iy += incy;
    }
    return s;
}

float dot(const float *a, const float *b, int n)
{
    float s;
    int i;
    for (s = 0, i = 0; i < n; s += a[i] * b[i], i++)
        ;
    return s;
}

void turned(const float *a, float *b, int n)
{
    int k = n;
    for (int i = 0; i < n; i++)
        b[--k] = a[i];
}
