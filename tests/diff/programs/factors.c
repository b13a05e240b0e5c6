// Loops whose counter is multiplied or divided: halvings, doublings, levels; one launch or more for each value.
// sizes: n=0,1,2,3,31,64,100 steps=0,1,3 from=1,3,7 m=-2147483648,0,70 u=0,4294967295
#include <pencil.h>

// A tree of sums: half as many in each round.
void tree(int n, float x[static const restrict n]) {
#pragma scop
    for (int s = n / 2; s > 0; s /= 2)
        for (int i = 0; i < s; i++)
            x[i] += x[i + s];
#pragma endscop
}

// Halves that are rounded up, so that none is left out; as a `while`.
void rounded_up(int n, int x[static const restrict n]) {
#pragma scop
    int m = n;
    while (m > 1) {
        int half = (m + 1) / 2;
        for (int i = 0; i < m / 2; i++)
            x[i] += x[i + half];
        m = (m + 1) / 2;
    }
#pragma endscop
}

// Prefix sums in doubling distances, from one array to another and back; the counter is declared outside.
void scan(int n, const int x[static const restrict n], int y[static const restrict n]) {
#pragma scop
    int t[n];
    int d, i;
    for (i = 0; i < n; i++)
        y[i] = x[i];
    for (d = 1; d < n; d <<= 1) {
        for (i = 0; i < n; i++)
            t[i] = i >= d ? y[i] + y[i - d] : y[i];
        for (i = 0; i < n; i++)
            y[i] = t[i];
    }
    for (d = 1; d < n; d = d * 3)
        for (i = d; i < n; i++)
            t[i] = t[i] + d;
    for (i = 0; i < n; i++)
        y[i] += n > 1 ? t[i] : 0;
#pragma endscop
}

// Means and differences of neighbours, level by level.
void haar(int n, float x[static const restrict n], float t[static const restrict n]) {
#pragma scop
    for (int h = n / 2; h >= 1; h >>= 1) {
        for (int i = 0; i < h; i++) {
            t[i] = (x[2 * i] + x[2 * i + 1]) * 0.5f;
            t[h + i] = (x[2 * i] - x[2 * i + 1]) * 0.5f;
        }
        for (int i = 0; i < 2 * h; i++)
            x[i] = t[i];
    }
#pragma endscop
}

// What a round reads another one wrote under another value of the counter: parts of a local array, each twice as long.
void levels(int n, const int x[static const restrict n], int y[static const restrict n]) {
#pragma scop
    int t[2 * n + 2];
    t[0] = 1;
    t[1] = 2;
    for (int s = 2; s <= n; s += s) {
        for (int i = 0; i < s; i++)
            t[s + i] = t[s / 2 + i / 2] * 3 + x[i];
        for (int i = 0; i < s; i++)
            y[i] = t[s + i];
    }
#pragma endscop
}

// A loop in a loop, both with factors: exchanges at distances, the place of the partner in arithmetic.
void exchanges(int n, int a[static const restrict n], int b[static const restrict n]) {
#pragma scop
    for (int k = 2; k <= n; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            for (int i = 0; i < n; i++)
                b[i] = i + j < n && i % 2 == 0 ? a[i] + a[i + j] : a[i] - k;
            for (int i = 0; i < n; i++)
                a[i] = b[i] % 1000;
        }
#pragma endscop
}

// Data end it before its counter does.
void stopped(int n, int x[static const restrict n], int count[static const restrict 1]) {
#pragma scop
        count[0] = 0;
        for (int s = n / 2; s > 0; s /= 2) {
            for (int i = 0; i < s; i++)
                x[i] = (x[i] + x[i + s]) % 64;
            count[0] += s;
            if (x[0] == 7)
                break;
        }
#pragma endscop
}

// A time loop around it.
void timed(int n, int steps, int x[static const restrict n]) {
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int s = n / 2; s > 0; s /= 2) {
            for (int i = 0; i < s; i++)
                x[i] = (x[i] + x[i + s]) % 64;
        }
#pragma endscop
}

// An unsigned counter down to more than one, a condition on it, and a sum in each round.
void sums(unsigned n, const int x[static const restrict n], int y[static const restrict n]) {
#pragma scop
    for (unsigned i = 0; i < n; i++)
        y[i] = 0;
    for (unsigned s = n; s > 1; s /= 4) {
        int sum = 0;
        for (unsigned i = 0; i < s; i++)
            sum += x[i];
        if (s > 8)
            for (unsigned i = 0; i < s; i++)
                y[i] += sum % 100;
    }
#pragma endscop
}

static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }

// Marked reductions around it, and one in each round.
int marked(int n, const int x[static const restrict n]) {
    int sum;
    __pencil_reduction_var_init(&sum, zero);
    for (int s = n; s > 0; s /= 2)
        for (int i = 0; i < s; i++)
            __pencil_reduction(&sum, x[i], add);
    return sum;
}

void marked_rows(int n, const int x[static const restrict n], int y[static const restrict n], int z[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        __pencil_reduction_var_init(&y[i], zero);
    for (int s = 1; 2 * s <= n; s *= 2)
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < s; k++)
                __pencil_reduction(&y[i], x[k], add);
            z[i] = s;
        }
#pragma endscop
}

void inside(int n, const int x[static const restrict n], int y[static const restrict n]) {
#pragma scop
    for (int s = 1; s <= n; s *= 2) {
        int sum;
        __pencil_reduction_var_init(&sum, zero);
        for (int k = 0; k < s; k++)
            __pencil_reduction(&sum, x[k], add);
        for (int i = 0; i < s; i++)
            y[i] = sum;
    }
#pragma endscop
}

// What is set only where iterations are done: between, an array keeps what it had.
void partly(int n, const int x[static const restrict n], int y[static const restrict n]) {
#pragma scop
    int t[n + 1];
    for (int i = 0; i < n; i++)
        t[i] = -1;
    for (int s = 1; s <= n; s *= 4)
        for (int i = s; i < (2 * s < n ? 2 * s : n); i++)
            t[i] = x[i];
    for (int i = 1; i < n; i++)
        y[i] = t[i];
#pragma endscop
}

void local(int n, const int x[static const restrict n], int h[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) h[i] = x[i];
    for (int s = 1; s < n; s *= 2) {
        int part[n];
        for (int i = 0; i < s; i++) part[i] = h[i] + 1;
        for (int i = s; i < n; i++) part[i] = h[i] + h[i - s];
        for (int i = 0; i < n; i++) h[i] = part[i] % 1001;
    }
#pragma endscop
}

void hist(int n, const int x[static const restrict n], int h[static const restrict 16]) {
#pragma scop
    for (int b = 0; b < 16; b++) h[b] = 0;
    for (int s = n; s >= 1; s /= 2)
        for (int i = 0; i < s; i++)
            h[x[i] & 15]++;
#pragma endscop
}

void start(int n, int from, int x[static const restrict n]) {
#pragma scop
    for (int s = from; s < n; s *= 2)
        for (int i = 0; i < n; i++)
            x[i] += s;
#pragma endscop
}

// Pairs at a distance: a bitonic sort.
void bitonic(int n, int a[static const restrict n]) {
#pragma scop
    for (int k = 2; k <= n; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
#pragma pencil independent
            for (int i = 0; i < n; i++) {
                int l = i ^ j;
                if (l > i && l < n) {
                    if (((i & k) == 0 && a[i] > a[l]) || ((i & k) != 0 && a[i] < a[l])) {
                        int t = a[i]; a[i] = a[l]; a[l] = t;
                    }
                }
            }
        }
#pragma endscop
}

// From any number, the least one too, of which there is no negative one in its type.
void from_any(int n, int m, unsigned u, int x[static const restrict n]) {
#pragma scop
    for (int s = m; s > 0; s /= 2)
        for (int i = 0; i < n; i++)
            x[i] += s % 5;
    for (unsigned s = u; s > 0; s /= 4)
        for (int i = 0; i < n; i++)
            x[i] -= (int)(s % 3);
#pragma endscop
}
