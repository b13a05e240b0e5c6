typedef unsigned char u8;

static inline u8 clamp255(int v) { return v < 0 ? 0 : v > 255 ? 255 : (u8)v; }

/* Packed RGB to planar YUV 4:2:0; width and height are even. */
void rgb_to_yuv420(const u8 *rgb, int width, int height, u8 *y_plane, u8 *u_plane, u8 *v_plane)
{
    for (int y = 0; y < height; y++) {
        const u8 *p = rgb + y * width * 3;
        for (int x = 0; x < width; x++, p += 3)
            y_plane[y * width + x] = clamp255(((66 * p[0] + 129 * p[1] + 25 * p[2] + 128) >> 8) + 16);
    }
    for (int y = 0; y < height / 2; y++)
        for (int x = 0; x < width / 2; x++) {
            int r = 0, g = 0, b = 0;
            for (int dy = 0; dy < 2; dy++)
                for (int dx = 0; dx < 2; dx++) {
                    const u8 *q = &rgb[((2 * y + dy) * width + 2 * x + dx) * 3];
                    r += q[0];
                    g += q[1];
                    b += q[2];
                }
            r /= 4; g /= 4; b /= 4;
            u_plane[y * (width / 2) + x] = clamp255(((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128);
            v_plane[y * (width / 2) + x] = clamp255(((112 * r - 94 * g - 18 * b + 128) >> 8) + 128);
        }
}
