/* Loops around parallel loops that end when data say so: the host reads back in each round whether to go on. */
// sizes: n=0,5,40 m=9
#include <math.h>
#include <pencil.h>

/* The usual form: as long as the error is too large. */
int converge(int n, double eps, double a[static const restrict n][n], double b[static const restrict n][n])
{
    double err = 1.0;
    int it = 0;
#pragma scop
    while (err > eps && it < 20) {
        err = 0.0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                err = fmax(err, fabs(b[i][j] - a[i][j]));
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
        it++;
    }
#pragma endscop
    return it;
}

/* The test stands at the end, and the error lives in the round. */
void do_first(int n, double tol, int most, double x[static const restrict n], double y[static const restrict n],
              double rounds[static const restrict 1])
{
    int it = 0;
    double err;
#pragma scop
    do {
        err = 0.0;
        for (int i = 0; i < n; i++)
            y[i] = 0.5 * x[i] + 1.0;
        for (int i = 0; i < n; i++)
            err = fmax(err, fabs(y[i] - x[i]));
        for (int i = 0; i < n; i++)
            x[i] = y[i];
        it = it + 1;
    } while (err > tol && it < most % 8);
    rounds[0] = it + err;
#pragma endscop
}

/* A counter with a bound and a tolerance; both are used behind the loop, the counter inside of it, too. */
void both(int n, double tol, double x[static const restrict n], double history[static const restrict 16],
          int count[static const restrict 1])
{
    double err = 2.0 * tol + 1.0;
    int it;
#pragma scop
    for (it = 0; it < 12 && err > tol; it++) {
        err = 0.0;
        for (int i = 0; i < n; i++)
            err = fmax(err, fabs(x[i]));
        for (int i = 0; i < n; i++)
            x[i] = 0.5 * x[i];
        history[it] = err;
    }
    count[0] = it;
#pragma endscop
}

/* A break between what a round computes and what it hands on; what is behind it must not happen in the last round. */
void in_between(int n, int most, double tol, double x[static const restrict n], double y[static const restrict n],
                double out[static const restrict 2])
{
#pragma scop
    for (int it = 0; it < (most & 7); it++) {
        double err = 0.0;
        for (int i = 0; i < n; i++)
            y[i] = 0.5 * x[i] + it;
        for (int i = 0; i < n; i++)
            err = fmax(err, fabs(y[i] - x[i]));
        out[0] = err;
        if (err < tol)
            break;
        for (int i = 0; i < n; i++)
            x[i] = y[i];
        out[1] = it;
    }
#pragma endscop
}

/* A flag, and a loop that only it ends; integers, so that nothing is rounded. */
void flagged(int n, int goal, int a[static const restrict n], int total[static const restrict 2])
{
    int done = 0;
    int it = 0;
#pragma scop
    while (!done) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum += a[i] & 7;
        for (int i = 0; i < n; i++)
            a[i] = a[i] / 2;
        it++;
        if (sum <= (goal & 15) || it > 40)
            done = 1;
        total[0] = sum;
    }
    total[1] = it;
#pragma endscop
}

/* Two ways out, one of which does something before; `while (1)`. */
void two_ways(int n, int goal, int a[static const restrict n], int b[static const restrict n],
              int what[static const restrict 3])
{
    int it = 0;
#pragma scop
    while (1) {
        int most = 0;
        for (int i = 0; i < n; i++)
            most = most > (a[i] & 1023) ? most : (a[i] & 1023);
        if (most == 0) {
            what[0] = 1;
            what[1] = it;
            break;
        }
        for (int i = 0; i < n; i++)
            b[i] = a[i] & 1023;
        if (it >= (goal & 7))
            break;
        for (int i = 0; i < n; i++)
            a[i] = b[i] / 2;
        it++;
    }
    what[2] = it;
#pragma endscop
}

/* No round at all, perhaps: what is written in it certainly is what it was before. */
void perhaps_none(int n, int a[static const restrict n], int b[static const restrict n], int left[static const restrict 1])
{
    int value = 5;
#pragma scop
    while (left[0] > 0) {
        value = 7;
        for (int i = 0; i < n; i++)
            b[i] = a[i] * 3;
        left[0] = (left[0] & 3) - 1;
    }
    for (int i = 0; i < n; i++)
        a[i] = b[i] + value;
#pragma endscop
}

/* Rounds in rounds. */
void nested(int n, int a[static const restrict n], int b[static const restrict n], int out[static const restrict 2])
{
    int outer = 0, inner = 0;
#pragma scop
    do {
        int sum = 1;
        while (sum > 0) {
            sum = 0;
            for (int i = 0; i < n; i++)
                a[i] = (a[i] & 255) / 2;
            for (int i = 0; i < n; i++)
                sum += a[i];
            inner++;
        }
        for (int i = 0; i < n; i++)
            a[i] = b[i] + outer;
        outer++;
    } while (outer < 3);
    out[0] = outer;
    out[1] = inner;
#pragma endscop
}

/* Bins that data choose, and rows that are stitched together, in a round. */
void bins(int n, int m, int goal, int pix[static const restrict n][m], int hist[static const restrict 16],
          float rows[static const restrict n])
{
    int it = 0, full = 0;
#pragma scop
    while (full <= (goal & 31) && it < 3) {
        full = 0;
        for (int b = 0; b < 16; b++)
            hist[b] = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                hist[pix[i][j] & 15] += 1;
        for (int i = 0; i < n; i++) {
            float most = 0.0f;
            for (int j = 0; j < m; j++)
                most = fmaxf(most, (float)(pix[i][j] & 63));
            for (int j = 0; j < m; j++)
                pix[i][j] = (int)most - (pix[i][j] & 15);
            rows[i] = most;
        }
        for (int b = 0; b < 16; b++)
            full += hist[b] > 0;
        it++;
    }
#pragma endscop
}

/* A `continue` leaves the loop to one thread; a loop that counts downwards does not mind. */
void others(int n, int a[static const restrict n], int b[static const restrict n], int out[static const restrict 2])
{
    int it = 0;
#pragma scop
    while (it < 3) {
        it++;
        if (n > 0 && a[0] > 100)
            continue;
        for (int i = 0; i < n; i++)
            a[i] = a[i] + 1;
    }
    for (int k = 5; k > 0; k--) {
        int odd = 0;
        for (int i = 0; i < n; i++)
            odd += b[i] & 1;
        out[0] = odd;
        out[1] = k;
        if (odd <= k)
            break;
        for (int i = 0; i < n; i++)
            b[i] = b[i] / 2 + k * i % 3;
    }
#pragma endscop
}

/* A round that does only a part of its work, by data. */
int part_of_a_round(int n, float tol, int most, float x[static const restrict n], float y[static const restrict n])
{
    int it = 0;
    float err = 1.0f;
#pragma scop
    while (it < most && err > tol) {
        it++;
        err = 0.0f;
        for (int i = 0; i < n; i++)
            err = fmaxf(err, fabsf(x[i]));
        for (int i = 0; i < n; i++)
            y[i] = x[i] + 1.0f;
        if (err > 4.0f) {
            for (int i = 0; i < n; i++)
                x[i] = 0.25f * x[i];
            continue;
        }
        for (int i = 0; i < n; i++)
            x[i] = 0.5f * x[i];
        for (int i = 0; i < n; i++)
            y[i] = y[i] - x[i];
    }
#pragma endscop
    return it;
}
