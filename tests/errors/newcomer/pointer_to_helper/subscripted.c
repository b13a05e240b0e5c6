static float row(int w, const float *r)
{
    float s = 0;
    for (int x = 0; x < w; x++)
        s += r[x];
    return s;
}

static void halve(float *v)
{
    v[0] = v[0] / 2;
    v[1] = v[1] / 2;
}

void rows(int h, int w, const float a[static const restrict h][w], float out[static const restrict h][2])
{
#pragma scop
    for (int y = 0; y < h; y++) {
        out[y][0] = row(w, a[y]);
        out[y][1] = 1;
        halve(out[y]);
    }
#pragma endscop
}
