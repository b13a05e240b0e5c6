#include <stddef.h>
/* y[k][oh][ow] = b[k] + sum x[c][..] * w[k][c][kh][kw] */
void conv2d(const float *x, const float *w, const float *b, float *y, int C, int H, int W, int K, int R, int S, int stride, int pad)
{
    const int OH = (H + 2 * pad - R) / stride + 1;
    const int OW = (W + 2 * pad - S) / stride + 1;
    for (int k = 0; k < K; k++)
        for (int oy = 0; oy < OH; oy++)
            for (int ox = 0; ox < OW; ox++) {
                float acc = b[k];
                for (int c = 0; c < C; c++)
                    for (int r = 0; r < R; r++) {
                        int iy = oy * stride + r - pad;
                        if (iy < 0 || iy >= H) continue;
                        for (int s = 0; s < S; s++) {
                            int ix = ox * stride + s - pad;
                            if (ix < 0 || ix >= W) continue;
                            acc += x[(c * H + iy) * W + ix] * w[((k * C + c) * R + r) * S + s];
                        }
                    }
                y[(k * OH + oy) * OW + ox] = acc;
            }
}
