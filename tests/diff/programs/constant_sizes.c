// Loops between numbers, whose places an `int` holds: in blocks of several rows, in tiles, as rows and columns.
// sizes: k=0,3
#include <pencil.h>

void plain(const float c[static const restrict 20][340], float d[static const restrict 20][340],
           float e[static const restrict 300][3]) {
#pragma scop
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 340; j++)
            d[i][j] = c[i][j] * 2;
    for (int i = 0; i < 300; i++)
        for (int j = 0; j < 3; j++)
            e[i][j] = i - j;
#pragma endscop
}

void neighbours(const float c[static const restrict 20][34], float d[static const restrict 20][34],
                float t[static const restrict 34][20]) {
#pragma scop
    for (int i = 1; i < 19; i++)
        for (int j = 1; j < 33; j++)
            d[i][j] = c[i - 1][j] + c[i + 1][j] + c[i][j - 1] + c[i][j + 1] + c[i][j];
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 34; j++)
            t[j][i] = c[i][j];
#pragma endscop
}

void planes(int k, const float a[static const restrict 5][9][40], float b[static const restrict 5][9][40]) {
#pragma scop
    for (int t = 0; t < k; t++)
        for (int i = 4; i > 0; i--)
            for (int j = 0; j < 9; j += 2)
                for (int l = 0; l < 40; l++)
                    b[i][j][l] += a[i - 1][j][l] * t;
#pragma endscop
}

void sums(const int a[static const restrict 70][33], int rows[static const restrict 70],
          int columns[static const restrict 33], int all[static const restrict 1]) {
#pragma scop
    all[0] = 0;
    for (int j = 0; j < 33; j++)
        columns[j] = 0;
    for (int i = 0; i < 70; i++) {
        rows[i] = 0;
        for (int j = 0; j < 33; j++) {
            rows[i] += a[i][j] & 255;
            columns[j] += a[i][j] & 255;
            all[0] += a[i][j] & 255;
        }
    }
#pragma endscop
}

void products(const float a[static const restrict 70][40], const float b[static const restrict 40][66],
              float c[static const restrict 70][66]) {
#pragma scop
    for (int i = 0; i < 70; i++)
        for (int j = 0; j < 66; j++) {
            c[i][j] = 0;
            for (int l = 0; l < 40; l++)
                c[i][j] += a[i][l] * b[l][j];
        }
#pragma endscop
}
