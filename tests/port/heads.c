/* Rows cut into heads and groups of channels, and maps with padding whose condition stands in a variable. */
void weigh_values(float *out, const float *att, const float *v, int B, int T, int C, int NH) {
    int hs = C / NH;
    for (int b = 0; b < B; b++) {
        for (int t = 0; t < T; t++) {
            for (int h = 0; h < NH; h++) {
                const float *a = att + b * NH * T * T + h * T * T + t * T;
                float *o = out + b * T * C + t * C + h * hs;
                for (int i = 0; i < hs; i++) {
                    o[i] = 0.0f;
                }
                for (int t2 = 0; t2 <= t; t2++) {
                    const float *w = v + b * T * C + t2 * C + h * hs;
                    for (int i = 0; i < hs; i++) {
                        o[i] += a[t2] * w[i];
                    }
                }
            }
        }
    }
}

void less_mean_of_group(const float *x, float *y, int N, int C, int HW, int G) {
    int D = C / G;
    for (int n = 0; n < N; n++)
        for (int g = 0; g < G; g++) {
            const float *xp = x + (n * C + g * D) * HW;
            float *yp = y + (n * C + g * D) * HW;
            float s = 0;
            for (int i = 0; i < D * HW; i++) s += xp[i];
            for (int c = 0; c < D; c++)
                for (int i = 0; i < HW; i++) yp[c * HW + i] = xp[c * HW + i] - s / (D * HW);
        }
}

void maxpool(const float *input, float *output, int in_h, int in_w, int h, int w, int size, int stride) {
    for (int i = 0; i < h; ++i)
        for (int j = 0; j < w; ++j) {
            float max = -3.4e38f;
            for (int n = 0; n < size; ++n)
                for (int m = 0; m < size; ++m) {
                    int cur_h = i * stride + n, cur_w = j * stride + m;
                    int index = cur_w + in_w * cur_h;
                    int valid = (cur_h >= 0 && cur_h < in_h && cur_w >= 0 && cur_w < in_w);
                    float val = (valid != 0) ? input[index] : -3.4e38f;
                    max = (val > max) ? val : max;
                }
            output[i * w + j] = max;
        }
}

void padded(const float *a, float *o, int w, int h, int ow, int oh) {
    for (int y = 0; y < oh; y++) {
        if (y >= h) {
            for (int x = 0; x < ow; x++) o[y * ow + x] = 0;
            continue;
        }
        const float *row = a + y * w;
        for (int x = 0; x < ow; x++) o[y * ow + x] = x < w ? row[x] : 0;
    }
}
