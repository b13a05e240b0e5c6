// sizes: n=0,1,33,300 m=0,1,40
// What is added up in order, from values of rows that are found in parallel.
#include <pencil.h>

void maxima(int n, int m, const float a[static const restrict n][m], const float start[static const restrict n],
            float most[static const restrict n], double total[static const restrict 1])
{
#pragma scop
    total[0] = 0.5;
    for (int i = 0; i < n; i++) {
        float found = start[i];
        for (int j = 0; j < m; j++)
            found = found > a[i][j] ? found : a[i][j];
        most[i] = found;
        total[0] += found;
    }
#pragma endscop
}

// The least of a row and where it is; what is added goes back to the array that is read.
void places(int n, int m, float a[static const restrict n][m + 1], int where[static const restrict n])
{
#pragma scop
    float sum = 0;
    for (int i = 0; i < n; i++) {
        float best = 3e38f;
        int at = -1;
        for (int j = 0; j < m; j++)
            if (a[i][j] < best) {
                best = a[i][j];
                at = j;
            }
        where[i] = at;
        sum = sum * 0.5f + (at < 0 ? 0 : best);
        a[i][m] = sum;
    }
#pragma endscop
}

// Two values of a row, and a product of integers below a condition.
void several(int n, int m, const int a[static const restrict n][m], unsigned hash[static const restrict 1],
             int ends[static const restrict n])
{
#pragma scop
    unsigned h = 17;
    for (int i = 0; i < n; i++) {
        int count = 0, last = -1;
        for (int j = 0; j < m; j++) {
            if (a[i][j] > 2) {
                count++;
                last = j;
            }
        }
        if (count > 1)
            h = h * 31u + (unsigned)count;
        h ^= (unsigned)last;
        ends[i] = last + (int)(h & 1u);
    }
    hash[0] = h;
#pragma endscop
}

// Beside what is added in order what is counted in any: a mean of what lies around a point, and of a row.
void around(int n, const float a[static const restrict n][n], float mean[static const restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            int count = 0;
            for (int di = -1; di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++) {
                    int y = i + di, x = j + dj;
                    if (y < 0 || y >= n || x < 0 || x >= n)
                        continue;
                    sum += a[y][x];
                    count++;
                }
            mean[i][j] = sum / count;
        }
#pragma endscop
}

void positive(int n, int m, const float a[static const restrict n][m], float mean[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float sum = 0;
        int count = 0;
        for (int j = 0; j < m; j++)
            if (a[i][j] > 0) {
                sum += a[i][j];
                count++;
            }
        mean[i] = count ? sum / count : 0;
    }
#pragma endscop
}
