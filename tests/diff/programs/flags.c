// Flags: a constant that data decide about, `&&` and `||`, as people write whether something is there.
// sizes: n=0,33,1009 m=1,40
#include <math.h>
#include <pencil.h>
#include <stdbool.h>

int found_outside(int n, int key, const int a[static const restrict n]) {
    int found = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] == key)
            found = 1;
#pragma endscop
    return found;
}

// What it begins with, nobody knows, and it is given another number than 1.
int goes_on(int n, int was, const int a[static const restrict n]) {
    int code = was;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] > 5) {
            code = -3;
        }
    }
#pragma endscop
    return code;
}

bool all_positive(int n, const int a[static const restrict n]) {
    bool ok = true;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] <= 0)
            ok = false;
#pragma endscop
    return ok;
}

// A step of an iteration, and whether it was the last one.
bool converged(int n, float eps, const float x[static const restrict n], float y[static const restrict n]) {
    bool done = true;
#pragma scop
    for (int i = 0; i < n; i++) {
        float d = fabsf(x[i] - y[i]);
        if (d > eps)
            done = false;
        y[i] = x[i];
    }
#pragma endscop
    return done;
}

// Beside sums and other flags, in both branches.
void survey(int n, const float x[static const restrict n], int counts[static const restrict 2],
            char flags[static const restrict 3]) {
#pragma scop
    int negative = 0, positive = 0;
    flags[0] = 0;
    flags[1] = 1;
    flags[2] = 7;
    for (int i = 0; i < n; i++) {
        if (x[i] < 0.0f) {
            flags[0] = 1;
            negative++;
        } else {
            flags[1] = 0;
            positive++;
        }
        if (x[i] > 1.0f || x[i] < -1.0f)
            flags[2] = 9;
    }
    counts[0] = negative;
    counts[1] = positive;
#pragma endscop
}

void rows(int n, int m, const float a[static const restrict n][m], bool bad[static const restrict n],
          int empty[static const restrict m], double far[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        bad[i] = false;
        for (int j = 0; j < m; j++)
            if (a[i][j] != a[i][j])
                bad[i] = true;
    }
    for (int j = 0; j < m; j++)
        empty[j] = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i][j] > 0.0f)
                empty[j] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (fabsf(a[i][j]) > 2.0f)
                far[i] = 0.5;
#pragma endscop
}

typedef struct { int code; bool seen, all; } State;

void members(int n, const int a[static const restrict n], State s[static const restrict 1]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] == 3)
            s[0].seen = true;
        if (a[i] < 0)
            s[0].all = false;
        if (a[i] == 4)
            s[0].code = 4;
        if (a[i] == 6)
            s[0].code = 4;
    }
#pragma endscop
}

void seen_places(int n, const int a[static const restrict n], const float x[static const restrict n],
                 int seen[static const restrict 16], bool was[static const restrict 16]) {
#pragma scop
    for (int k = 0; k < 16; k++) {
        seen[k] = 0;
        was[k] = false;
    }
    for (int i = 0; i < n; i++)
        if (x[i] > 0.0f)
            seen[a[i] & 15] = 1;
    for (int i = 0; i < n; i++)
        if (x[i] < 0.0f)
            was[a[i] & 15] = true;
#pragma endscop
}

bool logical(int n, const int a[static const restrict n], const float x[static const restrict n],
             bool any[static const restrict 3]) {
#pragma scop
    bool all = true, none = true, same = true;
    int some = 0, two = 1;
    any[0] = false;
    for (int i = 0; i < n; i++) {
        all = all && a[i] > 0;
        none = !(a[i] == 2) && none;
        any[0] = any[0] || x[i];
        some = some || (a[i] > 1 && x[i] < 0.5f);
        two = two && a[i] != 3 && fabsf(x[i]) < 2.0f;
        same &= a[i] == a[0];
    }
    any[1] = some;
    any[2] = two;
    all = all && none;
#pragma endscop
    return all && same;
}

int chosen(int n, int was, const int a[static const restrict n], int r[static const restrict 2]) {
    int some = was, all = was;
#pragma scop
    for (int i = 0; i < n; i++)
        some = a[i] == 2 ? 4 : some;
    for (int i = 0; i < n; i++)
        all = a[i] > 0 ? all : 0;
    for (int i = 0; i < n; i++)
        r[0] = a[i] < 0 ? -1 : r[0];
    for (int i = 0; i < n; i++)
        r[1] = a[i] < 0 ? i : r[1];
#pragma endscop
    return some + all;
}

// 5 && 1 is 1, and 5 where there is no element; an odd number is no truth; a place that data choose may not be there.
void stays(int n, const int a[static const restrict n], const int at[static const restrict n], int r[static const restrict 3]) {
#pragma scop
    for (int i = 0; i < n; i++)
        r[0] = r[0] && a[i] > 0;
    bool odd = true, two = true;
    for (int i = 0; i < n; i++)
        odd &= a[i];
    r[1] = odd;
    for (int i = 0; i < n; i++)
        two ^= a[i];
    r[2] = two;
#pragma endscop
}

// Which of them is the last decides.
int last_of_two(int n, const int a[static const restrict n]) {
    int code = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] > 1)
            code = 1;
        if (a[i] < 1)
            code = 2;
    }
#pragma endscop
    return code;
}

// Rounds until nothing changes: the least number of all that are linked.
int labels(int n, const int to[static const restrict n], int label[static const restrict n]) {
    int rounds = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        label[i] = i;
    int changed = 1;
    while (changed && rounds < 5) {
        changed = 0;
        for (int i = 0; i < n; i++)
            if ((to[i] & 255) < label[i]) {
                label[i] = to[i] & 255;
                changed = 1;
            }
        rounds = rounds + 1;
    }
#pragma endscop
    return rounds;
}

// No flags: a border, a choice for each element, and what is read on the way.
void no_flags(int n, int m, float u[static const restrict n][m], const float v[static const restrict n][m],
              const float x[static const restrict n], int was[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (i == 0)
                u[0][j] = 1.0f;
            if (v[i][j] < 0.0f)
                u[i][j] = 0.0f;
        }
    int last = 0;
    for (int i = 0; i < n; i++) {
        was[i] = last;
        if (x[i] > 0.0f)
            last = 1;
    }
#pragma endscop
}

// What is no flag yet has no value: nothing may read it.
int without_a_value(int n, const int b[static const restrict n], int t[static const restrict 64]) {
    int x, y = 0;
#pragma scop
    int mark[64];
    for (int i = 0; i < n; i++)
        if (b[i] > 3)
            x = 7;
    for (int i = 0; i < n; i++)
        if (b[i] > 3)
            y += x;
    for (int i = 0; i < n; i++)
        mark[b[i] & 63] = 3;
    for (int i = 0; i < n; i++)
        t[b[i] & 63] = mark[b[i] & 63];
#pragma endscop
    return y;
}
