// What loops that data end change of variables from outside: counts, flags, sums, extremes, of all iterations around.
// sizes: n=0,1,33,1009 m=1,17
#include <pencil.h>

typedef struct {
    int count, most;
} Stats;
static void none(int *c) { *c = 0; }
static int plus(int a, int b) { return a + b; }

/* bits that are set */
int bits(int n, const unsigned p[static const restrict n]) {
    int c = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        for (unsigned v = p[i]; v; v &= v - 1)
            c++;
#pragma endscop
    return c;
}

/* the same, marked */
int marked(int n, const unsigned p[static const restrict n]) {
    int c;
    __pencil_reduction_var_init(&c, none);
    for (int i = 0; i < n; i++)
        for (unsigned v = p[i]; v; v &= v - 1)
            __pencil_reduction(&c, 1, plus);
    return c;
}

/* whether any is among the others, in a loop that is left */
int any(int n, int m, const int p[static const restrict n], const int t[static const restrict m]) {
    int found = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int s = 0; s < m; s++)
            if (t[s] == p[i]) {
                found = 1;
                break;
            }
#pragma endscop
    return found;
}

/* whether all end within so many steps, and how many steps there are, in elements */
void steps(int n, const unsigned p[static const restrict n], int all[static const restrict 1],
           unsigned long long taken[static const restrict 2]) {
#pragma scop
    all[0] = 1;
    taken[0] = 0;
    taken[1] = 0;
    for (int i = 0; i < n; i++) {
        unsigned x = p[i] % 1000;
        int k = 0;
        while (x > 1) {
            if (k == 30) {
                all[0] = 0;
                break;
            }
            k++;
            x = x % 2 ? 3 * x + 1 : x / 2;
            if (x % 2)
                taken[1]++;
            else
                taken[0]++;
        }
    }
#pragma endscop
}

/* sums of floats up to the first that is small, two loops in an iteration */
double sums(int n, int m, const double x[static const restrict n][m]) {
    double s = 1;
#pragma pencil independent reduction(+: s)
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            if (x[i][j] < 0)
                break;
            s += x[i][j];
        }
        for (int j = m - 1; j >= 0; j--) {
            if (x[i][j] > 0)
                break;
            s -= x[i][j];
        }
    }
    return s;
}

/* extremes on the way, as an integer and a float, with `if` and `?:`, and by a condition of its own */
void extremes(int n, int m, const float x[static const restrict n][m], float lo[static const restrict 1],
              float hi[static const restrict 1], int longest[static const restrict 1]) {
#pragma scop
    lo[0] = 1e30f;
    hi[0] = -1e30f;
    longest[0] = 0;
    for (int i = 0; i < n; i++) {
        float at = 0;
        int j = 0;
        do {
            at += x[i][j];
            lo[0] = at < lo[0] ? at : lo[0];
            if (at > hi[0])
                hi[0] = at;
            j++;
            if (x[i][j - 1] > 0 && j > longest[0])
                longest[0] = j;
        } while (j < m && x[i][j - 1] != 0);
    }
#pragma endscop
}

/* one for each row, of which the elements are in loops that data end */
void rows(int n, int m, const unsigned p[static const restrict n][m], int c[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        c[i] = 0;
        for (int j = 0; j < m; j++)
            if (p[i][j] % 3 != 0)
                for (unsigned v = p[i][j]; v; v /= 2)
                    c[i] += v & 1;
    }
#pragma endscop
}

/* an element that data place, nowhere where there is nothing to count */
void placed(int n, int m, const int at[static const restrict n], const unsigned p[static const restrict n],
            int h[static const restrict m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (unsigned v = at[i] >= 0 && at[i] < m ? p[i] : 0; v; v >>= 1)
            h[at[i]] += v & 1;
#pragma endscop
}

/* members, and operators of bits */
void members(int n, const unsigned p[static const restrict n], Stats s[static const restrict 1],
             unsigned seen[static const restrict 3]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        unsigned v = p[i];
        int k = 0;
        while (v > 2) {
            v = v / 3 + k;
            k++;
            s[0].count++;
            s[0].most = k > s[0].most ? k : s[0].most;
            seen[0] |= v;
            seen[1] ^= v;
            seen[2] &= v | 7;
        }
    }
#pragma endscop
}

/* truths */
int truths(int n, int m, const int x[static const restrict n][m]) {
    int all = 1, some = 0;
    _Bool seen = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (x[i][j] == 0)
                break;
            all = all && x[i][j] < 100;
            some = some || x[i][j] < -100;
            if (x[i][j] == 7)
                seen = 1;
        }
#pragma endscop
    return all + 2 * some + 4 * seen;
}

/* `&&` makes a 1 of a -1 where it is asked, and only there */
void kept_truths(int n, int m, const int x[static const restrict n], int r[static const restrict 2]) {
    int any = 7;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if ((x[i] & 3) == (j & 1))
                break;
            r[0] = r[0] && x[i];
            any = any || x[i] == 5;
        }
    r[1] = any;
#pragma endscop
}
