#include <string.h>

/* How often each brightness occurs in a picture whose rows are `pitch` bytes apart. */
void count_levels(const unsigned char *picture, int width, int height, int pitch, unsigned levels[256])
{
    memset(levels, 0, 256 * sizeof(unsigned));
    for (int row = 0; row < height; row++) {
        const unsigned char *line = picture + row * pitch;
        for (int column = 0; column < width; column++)
            levels[line[column]]++;
    }
}
