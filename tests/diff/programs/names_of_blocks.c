// sizes: rows=0,1,3,40 columns=0,1,33,700
// What the building blocks call their variables are names as others are, of variables, functions, types and members.
#include <float.h>
#include <pencil.h>

enum { LANES = 3, THREADS = 5, ITEMS = 7, ACROSS = 9, BLOCK = 11, WARPS = 2, BINS = 4, HALF = 6, ONCE = 1 };
#define step (ITEMS - ONCE)

typedef struct { float count; int at; } value;
static const int base[4] = {1, 2, 3, 4};

static void identity(value *acc) { acc->count = 0; acc->at = -2147483647 - 1; }
static value left(value right, value lane) {
    value made = {right.count + lane.count, right.at > lane.at ? right.at : lane.at};
    return made;
}
static value total(float x, int k) { value own = {x, k}; return own; }

static void index(int *parts) { *parts = 0; }
static int combine(int first, int last) { return first + last; }
static void nothing(float *slot) { *slot = 0; }
static float lanes(float a, float b) { return a + b; }
static void least(float *slot) { *slot = -FLT_MAX; }
static float warp(float a, float b) { return b > a ? b : a; }

value whole(int rows, const float count[static const restrict rows]) {
    value acc;
    __pencil_reduction_var_init(&acc, identity);
    for (int x = 0; x < rows; x++)
        __pencil_reduction(&acc, total(count[x] * LANES + THREADS, x + step), left);
    return acc;
}

void along(int rows, int columns, const float row[static const restrict rows][columns],
           float slots[static const restrict rows], int ticket[static const restrict rows]) {
    for (int at = 0; at < rows; at++) {
        value l;
        __pencil_reduction_var_init(&l, identity);
        for (int k = 0; k < columns; k++)
            __pencil_reduction(&l, total(row[at][k] + ITEMS * ACROSS, k - BLOCK), left);
        slots[at] = l.count + base[at % 4];
        ticket[at] = l.at + HALF;
    }
}

void down(int rows, int columns, const int row[static const restrict rows][columns],
          int column[static const restrict columns]) {
    for (int x = 0; x < columns; x++) {
        int lane;
        __pencil_reduction_var_init(&lane, index);
        for (int outer = 0; outer < rows; outer++)
            __pencil_reduction(&lane, row[outer][x] * THREADS, combine);
        column[x] = lane;
    }
}

void shares(int rows, int columns, const float x[static const restrict rows][columns],
            float y[static const restrict rows][columns]) {
    for (int mine = 0; mine < rows; mine++) {
        float rank, turn;
        __pencil_reduction_var_init(&rank, least);
        for (int c = 0; c < columns; c++)
            __pencil_reduction(&rank, x[mine][c], warp);
        __pencil_reduction_var_init(&turn, nothing);
        for (int c = 0; c < columns; c++)
            __pencil_reduction(&turn, x[mine][c] - rank, lanes);
        for (int c = 0; c < columns; c++)
            y[mine][c] = (x[mine][c] - rank) * THREADS - turn;
    }
}

void places(int rows, const int bin[static const restrict rows], int bins[static const restrict 16],
            float copies[static const restrict 16]) {
    for (int item = 0; item < 16; item++) {
        __pencil_reduction_var_init(&bins[item], index);
        __pencil_reduction_var_init(&copies[item], nothing);
    }
    for (int item = 0; item < rows; item++) {
        __pencil_reduction(&bins[bin[item] & 15], WARPS, combine);
        __pencil_reduction(&copies[bin[item] & 15], BINS, lanes);
    }
}

void several(int rows, const int values[static const restrict rows][12], int totals[static const restrict 12]) {
    for (int together = 0; together < 12; together++) {
        int old;
        __pencil_reduction_var_init(&old, index);
        for (int next = 0; next < rows; next++)
            __pencil_reduction(&old, values[next][together], combine);
        totals[together] = old;
    }
}
