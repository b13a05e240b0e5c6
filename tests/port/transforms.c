/* A step of a Haar transform and what stands around it: sizes are powers of two, of which the exponent is handed over. */
void scale(float *re, int levels)
{
    int n = 1 << levels;
    for (int i = 0; i < n; i++)
        re[i] = re[i] / n;
}

void haar(const float *in, float *low, float *high, int levels)
{
    const int half = (1 << levels) / 2;
    for (int i = 0; i < half; i++) {
        low[i] = (in[2 * i] + in[2 * i + 1]) / 2;
        high[i] = (in[2 * i] - in[2 * i + 1]) / 2;
    }
}
