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

float dot(const float *a, const float *b, int n)
{
    float s;
    int i;
    for (s = 0, i = 0; i < n; s += a[i] * b[i], i++)
        ;
    return s;
}

void smooth(double *u, double *v, int n, int steps)
{
    double *tmp;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        tmp = u;
        u = v;
        v = tmp;
    }
}

void filled(float *a, int n, float value)
{
    int i = 0;
    if (n <= 0)
        return;
    do {
        a[i] = value;
    } while (++i < n);
}
