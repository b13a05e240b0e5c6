void bilinear(const unsigned char *src, int sw, int sh, unsigned char *dst, int dw, int dh)
{
    float fx = (float)sw / dw, fy = (float)sh / dh;
    for (int y = 0; y < dh; y++)
        for (int x = 0; x < dw; x++) {
            float sx = x * fx, sy = y * fy;
            int x0 = (int)sx, y0 = (int)sy;
            int x1 = x0 + 1 < sw ? x0 + 1 : sw - 1, y1 = y0 + 1 < sh ? y0 + 1 : sh - 1;
            float ax = sx - x0, ay = sy - y0;
            float top = src[y0 * sw + x0] * (1 - ax) + src[y0 * sw + x1] * ax;
            float bottom = src[y1 * sw + x0] * (1 - ax) + src[y1 * sw + x1] * ax;
            dst[y * dw + x] = (unsigned char)(top * (1 - ay) + bottom * ay + 0.5f);
        }
}
