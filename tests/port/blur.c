#define TAPS 5

/* A picture smoothed along its rows and columns with the same weights; what lies outside is as the nearest edge. */
void blur(unsigned char *out, const unsigned char *in, int width, int height, const float weight[TAPS])
{
    for (int y = 0; y < height; y++) {
        unsigned char *to = out + y * width;
        for (int x = 0; x < width; x++) {
            float sum = 0;
            for (int dy = 0; dy < TAPS; dy++) {
                int yy = y + dy - TAPS / 2;
                if (yy < 0) yy = 0;
                if (yy >= height) yy = height - 1;
                const unsigned char *from = in + yy * width;
                for (int dx = 0; dx < TAPS; dx++) {
                    int xx = x + dx - TAPS / 2;
                    xx = xx < 0 ? 0 : xx >= width ? width - 1 : xx;
                    sum += weight[dy] * weight[dx] * from[xx];
                }
            }
            to[x] = (unsigned char)(sum + 0.5f);
        }
    }
}
