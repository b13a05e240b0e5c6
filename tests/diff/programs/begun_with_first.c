// Extremes that begin with the first element and go through the others, and what goes through the same rows behind them.
// sizes: rows=1,3 columns=1,2,31,133,1100
#include <math.h>
#include <pencil.h>
#include <stddef.h>

void softmax(int rows, int columns, const float x[static const restrict rows][columns],
             float y[static const restrict rows][columns]) {
#pragma scop
    for (int i = 0; i < rows; i++) {
        float most = x[i][0];
        for (int j = 1; j < columns; j++)
            most = fmaxf(most, x[i][j]);
        float sum = 0;
        for (int j = 0; j < columns; j++)
            sum += expf(x[i][j] - most);
        for (int j = 0; j < columns; j++)
            y[i][j] = expf(x[i][j] - most) / sum;
    }
#pragma endscop
}

void shifted(size_t rows, size_t columns, const int x[static const restrict rows * columns],
             int y[static const restrict rows * columns]) {
#pragma scop
    for (size_t i = 0; i < rows; i++) {
        int least = x[i * columns];
        for (size_t j = 1; j < columns; j++) {
            int value = x[i * columns + j];
            if (value < least) least = value;
        }
        for (size_t j = 0; j < columns; j++)
            y[i * columns + j] = x[i * columns + j] - least;
    }
#pragma endscop
}

// What is no extreme, what begins with another element, and what changes in between.
void others(int rows, int columns, int x[static const restrict rows][columns], int y[static const restrict rows][6]) {
#pragma scop
    for (int i = 0; i < rows; i++) {
        int sum = x[i][0], both = x[i][0], all = x[i][0], last = x[i][columns - 1], half = x[i][0] / 2, most = x[i][0];
        for (int j = 1; j < columns; j++)
            sum += x[i][j];
        for (int j = 1; j < columns; j++)
            both &= x[i][j];
        for (int j = 1; j < columns; j++)
            all = all && x[i][j];
        for (int j = 1; j < columns; j++)
            if (x[i][j] > last) last = x[i][j];
        for (int j = 1; j < columns; j++)
            if (x[i][j] > half) half = x[i][j];
        x[i][0] = 1000000;
        for (int j = 1; j < columns; j++)
            if (x[i][j] > most) most = x[i][j];
        y[i][0] = sum;
        y[i][1] = both;
        y[i][2] = all;
        y[i][3] = last;
        y[i][4] = half;
        y[i][5] = most;
    }
#pragma endscop
}
