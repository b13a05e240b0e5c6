/* Values that lie beside each other: counters in steps, and others that count beside them. */
void grey1(const unsigned char *in, unsigned char *out, int n)
{
    int i, j;
    for (i = 0, j = 0; i < n * 4; i += 4, j++)
        out[j] = (in[i] + in[i + 1] + in[i + 2]) / 3;
}
void grey2(const unsigned char *in, unsigned char *out, int n)
{
    int j = 0;
    for (int i = 0; i < n; i += 3)
        out[j++] = (in[i] + in[i + 1] + in[i + 2]) / 3;
}
void pack(const unsigned char *in, unsigned char *out, int n)
{
    int o = 0;
    for (int i = 0; i + 1 < n; i += 2)
        out[o++] = in[i] << 4 | in[i + 1];
}
void pairs(const float *in, float *out, int n)
{
    const float *p = in;
    for (int i = 0; i < n; i++) {
        float a = *p++;
        float b = *p++;
        out[i] = a * b;
    }
}
