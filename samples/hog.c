// Histograms of oriented gradients around many points: every pixel of a window is shared out over eight bins
// (two cells down, two across, two directions) of `hist[i][cell_row][cell_col][bin]`.
// tolerance: 1e-4
#include <math.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef POINTS
#define POINTS 23
#endif
#define ROWS 64
#define COLUMNS 80
#define CELLS 3
#define BINS 8
#define SIDE 12

static void none(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

void hog(int rows, int cols, int step, const unsigned char image[static const restrict rows][step], int points,
         const float at[static const restrict points][2], int side,
         float hist[static const restrict points][CELLS][CELLS][BINS]) {
#pragma scop
    __pencil_assume(rows > 2 && cols > 2);
    __pencil_assume(step >= cols);
    __pencil_assume(side > 0 && side <= 256);
#pragma pencil independent
    for (int i = 0; i < points; i++) {
        for (int r = 0; r < CELLS; r++)
            for (int c = 0; c < CELLS; c++)
                for (int b = 0; b < BINS; b++)
                    __pencil_reduction_var_init(&hist[i][r][c][b], none);
        float top = at[i][0] - 0.5f * (float)side, left = at[i][1] - 0.5f * (float)side;
        for (int r = 0; r < side; r++)
            for (int c = 0; c < side; c++) {
                int y = clamp((int)(top + (float)r), 1, rows - 2), x = clamp((int)(left + (float)c), 1, cols - 2);
                float down = (float)(image[y + 1][x] - image[y - 1][x]);
                float across = (float)(image[y][x + 1] - image[y][x - 1]);
                float size = sqrtf(down * down + across * across);
                float turn = (atan2f(down, across) * 0.159154943f + 0.5f) * (float)BINS;
                float cell_r = ((float)r + 0.5f) * (float)CELLS / (float)side - 0.5f;
                float cell_c = ((float)c + 0.5f) * (float)CELLS / (float)side - 0.5f;
                int r0 = (int)floorf(cell_r), c0 = (int)floorf(cell_c), b0 = (int)floorf(turn);
                float wr = cell_r - (float)r0, wc = cell_c - (float)c0, wb = turn - (float)b0;
                for (int dr = 0; dr < 2; dr++)
                    for (int dc = 0; dc < 2; dc++)
                        for (int db = 0; db < 2; db++) {
                            int cr = r0 + dr, cc = c0 + dc, b = (b0 + db + BINS) % BINS;
                            float share = (dr ? wr : 1.0f - wr) * (dc ? wc : 1.0f - wc) * (db ? wb : 1.0f - wb);
                            if (cr >= 0 && cr < CELLS && cc >= 0 && cc < CELLS)
                                __pencil_reduction(&hist[i][cr][cc][b], share * size, add);
                        }
            }
    }
#pragma endscop
}

int main(void) {
    static unsigned char image[ROWS][COLUMNS];
    static float at[POINTS][2], hist[POINTS][CELLS][CELLS][BINS];
    unsigned seed = 27;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            seed = seed * 1664525u + 1013904223u;
            image[r][c] = (unsigned char)(seed >> 24);
        }
    for (int i = 0; i < POINTS; i++) {
        seed = seed * 1664525u + 1013904223u;
        at[i][0] = (float)(seed >> 26);
        seed = seed * 1664525u + 1013904223u;
        at[i][1] = (float)(seed >> 26);
    }
    hog(ROWS, COLUMNS, COLUMNS, image, POINTS, at, SIDE, hist);
    double sum = 0.0;
    for (int i = 0; i < POINTS; i++)
        for (int r = 0; r < CELLS; r++)
            for (int c = 0; c < CELLS; c++)
                for (int b = 0; b < BINS; b++)
                    sum += hist[i][r][c][b] * ((r + 3 * c + 5 * b) % 7 + 1);
    printf("hog points=%d checksum %.7g\n", POINTS, sum);
    return 0;
}
