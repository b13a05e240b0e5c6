#include <float.h>

/* Where a picture is brightest, the first such place from the top left on. */
void brightest(const unsigned char *picture, int width, int height, int pitch, int *column, int *row)
{
    int at_x = 0, at_y = 0;
    unsigned char most = picture[0];
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (picture[y * pitch + x] > most) {
                most = picture[y * pitch + x];
                at_x = x;
                at_y = y;
            }
    *column = at_x;
    *row = at_y;
}

/* The number of the last of the points that are nearest to a place; -1 where there is none. */
int nearest(const float *x, const float *y, int count, float px, float py)
{
    int at = -1;
    float best = FLT_MAX;
    for (int i = 0; i < count; i++) {
        float dx = x[i] - px, dy = y[i] - py;
        float d = dx * dx + dy * dy;
        if (d <= best) {
            at = i;
            best = d;
        }
    }
    return at;
}
