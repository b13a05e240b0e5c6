// Cases without fall-through: in regions, loops, helpers; on characters, enumerations and negative numbers.
// sizes: n=0,1,33,1009
#include <pencil.h>

enum kind { SMALL = -3, MIDDLE, LARGE = 7 };

static float scale(enum kind which, float x)
{
    switch (which) {
    case SMALL: return x / 2;
    case MIDDLE: return x;
    default: break;
    case LARGE: {
        float y = 3 * x;
        return y;
    }
    }
    return 0;
}

static int twice(int x) { return 2 * x; }

static int class(char c)
{
    int found = 0;
    switch (c) {
    default:
        found = 9;
        break;
    case 'a': case 'e':
    case 'i':
        found = 1;
        break;
    case '0':
        if (c > 'x') break;
        found = 2;
        break;
    case '\n':
        switch (twice(c)) {
        case 20: found = 5; break;
        default: found = 6;
        }
        found++;
        break;
    }
    return found;
}

void classes(int n, const int a[static const restrict n], float x[static const restrict n], int o[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = scale(a[i] % 4 == 0 ? SMALL : a[i] % 4 == 1 ? MIDDLE : LARGE, x[i]) + scale((enum kind)(a[i] % 9), 1);
        o[i] = class((char)(a[i] & 127)) + class('a') + class('0') + class('\n');
    }
#pragma endscop
}

void inside(int n, int mode, const int a[static const restrict n], int o[static const restrict n], int p[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        switch (i % 3) {
        case 0: o[i] = 1; break;
        case 1: o[i] = 2; break;
        case 2: o[i] = 3;
        }
        switch (mode) {
        case -1: o[i]++; break;
        case 1u + 1: o[i] += 2; break;
        case 3:
        case 4:
            for (int j = 0; j < 3; j++) {
                if (j == 2) break;
                o[i] += j;
            }
            break;
        }
    }
    for (int i = 0; i < n; i++) {
        p[i] = 1;
        switch (a[i] % 5) {
            int unused;
        case 1:
            continue;
        case 2:
            if (a[i] > 10) {
                p[i] = 5;
                break;
            } else
                p[i] = 6;
            p[i] *= 2;
            break;
        case -2:
        default:
            unused = 7;
            p[i] = unused;
        }
        p[i]++;
    }
    switch (n > 5) { case 1: p[0] = 11; }
#pragma endscop
}

static int next_of(int x) { return x + 1; }

// A `switch` without a label, or with `default` alone, evaluates its value and has nothing to choose from.
void without_choice(int n, const int k[static const restrict n], int o[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        switch (k[i]) { }
        switch (k[i]) ;
        switch (next_of(k[i])) { o[i] = 7; }
        switch (k[i]) { default: ; }
        switch (next_of(k[i])) { default: o[i] = 1; }
        switch (k[i]) default: o[i] += 1;
        switch (k[i]) case 3: o[i] += 2;
        switch (k[i]) { case 1: ; }
        switch (k[i]) { break; }
        int chosen = 5;
        switch (next_of(k[i])) { int x; case 2: x = chosen; o[i] += x; }
        switch (next_of(k[i])) { int x; case 3: x = chosen; o[i] += 2 * x; }
    }
#pragma endscop
}
