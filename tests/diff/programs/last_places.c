// The last element, or the first one, that a condition lets, with what belongs to it; and best ones that are structs.
// sizes: n=0,1,33,1000 m=1,40
#include <math.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int at;
    float value;
} Hit;

typedef struct {
    Hit hit;
    int count;
    int place[2];
} Summary;

int last(int n, const float a[static const restrict n]) {
    int at = -1;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            at = i;
#pragma endscop
    return at;
}

float last_value(int n, const float a[static const restrict n], float before) {
    float value = before;
#pragma scop
    for (int i = 0; i < n; i++)
        value = a[i] > 0 ? a[i] : value;
#pragma endscop
    return value;
}

// What it is divided by is no zero there.
void last_small(int n, const int8_t a[static const restrict n], int8_t last[static const restrict 1],
                double part[static const restrict 2]) {
#pragma scop
    part[1] = 7;
    for (int i = n - 1; i != -1; i--)
        if (a[i] > 1) {
            last[0] = a[i];
            part[1] = 100 / a[i];
        }
#pragma endscop
}

size_t last_of_many(size_t n, const int a[static const restrict n]) {
    size_t at = n;
#pragma scop
    for (size_t i = 0; i < n; i++)
        if (a[i] % 3 == 1)
            at = i;
#pragma endscop
    return at;
}

int beside_a_count(int n, const float a[static const restrict n], int last[static const restrict 1],
                   int where[static const restrict n]) {
    int hits = 0;
#pragma scop
    last[0] = -1;
    for (int i = 0; i < n; i++) {
        where[i] = 0;
        if (a[i] > 0) {
            hits++;
            where[i] = i;
            last[0] = i;
        }
    }
#pragma endscop
    return hits;
}

int first(int n, const float a[static const restrict n]) {
    int at = -1;
#pragma scop
    for (int i = 0; i < n; i++)
        if (at < 0 && a[i] > 1)
            at = i;
#pragma endscop
    return at;
}

int first_with_a_truth(int n, const float a[static const restrict n]) {
    int at = -1;
    _Bool found = 0;
    char letter = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] > 1)
            if (found == 0) {
                found = 1;
                at = i;
            }
        if (!letter && a[i] < -1)
            letter = 'x';
    }
#pragma endscop
    return at + found + letter;
}

// What stands beside keeps its own variables, and the order of its own statements.
float beside_an_update(int n, const float a[static const restrict n], float b[static const restrict n],
                       float c[static const restrict n]) {
    float last = -1;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] > 1) {
            float t = b[i], u = a[i] * 2;
            b[i] = c[i];
            c[i] = t;
            last = u;
        }
#pragma endscop
    return last;
}

// It may have been found before.
int first_from(int n, const float a[static const restrict n], const int start[static const restrict 1]) {
    int at = start[0];
#pragma scop
    for (int i = 2; i < n; i++)
        if (a[i] > 1 && at <= 1)
            at = i;
#pragma endscop
    return at;
}

int first_with_a_flag(int n, const float a[static const restrict n], float value[static const restrict 1]) {
    int at = -1, found = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        float x = a[i] * 2;
        if (!found && x > 3) {
            found = 1;
            at = i;
            value[0] = x;
        }
    }
#pragma endscop
    return at + found;
}

// None of these is the first one: what is below 5 or a large number may be found again.
void again_and_again(int n, const float a[static const restrict n], int at[static const restrict 3]) {
#pragma scop
    int some = 0, follows = -1, steps = 0;
    unsigned any = 0;
    for (int i = 3; i < n; i++) {
        if (some < 5 && a[i] > 0)
            some = i;
        if (any < 4000000000u && a[i] > 0)
            any = i;
        if (a[i] > 0) {
            steps += 2;
            follows = steps;
        }
    }
    at[0] = some;
    at[1] = any;
    at[2] = follows;
#pragma endscop
}

int indirect(int n, const int a[static const restrict n], const int key[static const restrict n]) {
    int found = -1;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] >= 0 && a[i] < n && key[a[i]] > 2)
            found = key[a[i]];
#pragma endscop
    return found;
}

void of_rows(int n, int m, const float a[static const restrict n][m], int last[static const restrict n],
             int first[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        last[i] = -1;
        first[i] = m;
        for (int j = 0; j < m; j++)
            if (a[i][j] > 0.5f)
                last[i] = j;
        for (int j = m - 1; j >= 0; j--)
            if (a[i][j] > 0.5f)
                first[i] = j;
    }
#pragma endscop
}

void of_a_picture(int n, int m, const float a[static const restrict n][m], int at[static const restrict 2]) {
#pragma scop
    int x = -1, y = -1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i][j] > 1) {
                x = j;
                y = i;
            }
    at[0] = x;
    at[1] = y;
#pragma endscop
}

void of_a_triangle(int n, const float a[static const restrict n], int at[static const restrict 2]) {
#pragma scop
    at[0] = at[1] = -1;
    for (int i = 0; i < n; i++)
        for (int j = i - 1; j >= 0; j--)
            if (a[i] > a[j] + 3) {
                at[0] = i;
                at[1] = j;
            }
#pragma endscop
}

// The step of the loop over time in which it was first small.
int converged(int n, float a[static const restrict n]) {
    int when = -1;
#pragma scop
    for (int t = 0; t < 6; t++) {
        float error = 0;
        for (int i = 0; i < n; i++) {
            a[i] = a[i] * 0.5f;
            error = fmaxf(error, fabsf(a[i]));
        }
        if (when < 0 && error < 0.5f)
            when = t;
    }
#pragma endscop
    return when;
}

// When each first passes a threshold, and how often it does.
void spikes(int n, int m, const float v[static const restrict n][m], int first[static const restrict n],
            int count[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int when = -1, often = 0;
        for (int t = 0; t < m; t++)
            if (v[i][t] > 0.25f) {
                if (when < 0)
                    when = t;
                often++;
            }
        first[i] = when;
        count[i] = often;
    }
#pragma endscop
}

// What belongs to the nearest one is read once.
void labels(int n, int m, const float d[static const restrict n][m], const int label[static const restrict m],
            int of[static const restrict n], float distance[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float best = INFINITY;
        int found = -1;
        for (int j = 0; j < m; j++)
            if (d[i][j] < best && label[j] >= 0) {
                best = d[i][j];
                found = label[j];
            }
        of[i] = found;
        distance[i] = best;
    }
#pragma endscop
}

Hit struct_at_once(int n, const float a[static const restrict n]) {
    Hit hit = {-1, 0};
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] < hit.value)
            hit = (Hit){i, a[i]};
#pragma endscop
    return hit;
}

void structs_of_rows(int n, int m, const float a[static const restrict n][m], Hit hits[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        hits[i].at = 0;
        hits[i].value = a[i][0];
        for (int j = 1; j < m; j++)
            if (a[i][j] > hits[i].value) {
                Hit hit = {j, a[i][j]};
                hits[i] = hit;
            }
    }
#pragma endscop
}

Summary members(int n, int m, const float a[static const restrict n][m]) {
    Summary all = {{-1, 0}, 0, {0, 0}};
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (a[i][j] > all.hit.value) {
                all.hit.value = a[i][j];
                all.place[0] = i;
                all.place[1] = j;
            }
            if (a[i][j] < 0)
                all.count++;
        }
#pragma endscop
    return all;
}
