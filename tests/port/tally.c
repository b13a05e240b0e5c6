/* Tables of the file that are cleared and copied as a whole. */
#include <string.h>

static int tally[8];
static float grid[6][10], back[6][10];

int count(int n, const int *x)
{
    memset(tally, 0, sizeof tally);
    for (int i = 0; i < n; i++)
        tally[x[i] & 7]++;
    return tally[3];
}

void smooth(float by)
{
    memset(back, 0, sizeof(back));
    for (int y = 1; y < 5; y++)
        for (int x = 1; x < 9; x++)
            back[y][x] = (grid[y][x - 1] + grid[y][x + 1]) * by;
    memcpy(grid, back, sizeof grid);
}
