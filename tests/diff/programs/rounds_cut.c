/* Rounds that are cut short, and ways out that stand in other branches. */
// sizes: n=0,5,40 goal=3,8
#include <math.h>
#include <pencil.h>

/* A round that has nothing to hand on is over early: the test is made all the same. */
void cut_short(int n, int goal, double tol, double x[static const restrict n], double y[static const restrict n],
               double out[static const restrict 2])
{
    int it = 0;
    double err = 1.0 + tol;
#pragma scop
    while (err > tol && it < 12) {
        it++;
        err = 0.0;
        for (int i = 0; i < n; i++)
            y[i] = 0.5 * x[i];
        for (int i = 0; i < n; i++)
            err = fmax(err, fabs(y[i] - x[i]));
        if (it % 3 == (goal & 1))
            continue;
        for (int i = 0; i < n; i++)
            x[i] = y[i];
        double most = err + it;
        out[0] = out[0] + most;
    }
    out[1] = it;
#pragma endscop
}

/* A `continue` that does something first, in a `do`, which tests behind it. */
void tested_behind(int n, int goal, int a[static const restrict n], int b[static const restrict n],
                   int what[static const restrict 3])
{
    int it = 0;
#pragma scop
    do {
        it++;
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum += a[i] & 15;
        if (sum % 2 == 1) {
            what[0] = what[0] + 1;
            for (int i = 0; i < n; i++)
                b[i] = b[i] / 2;
            continue;
        }
        what[1] = sum;
        for (int i = 0; i < n; i++)
            a[i] = a[i] / 2 + (b[i] & 1);
    } while (it < (goal & 7));
    what[2] = it;
#pragma endscop
}

/* Ways out behind `else`, and in an `if` inside of another. */
void chained(int n, int goal, int a[static const restrict n], int b[static const restrict n],
             int what[static const restrict 4])
{
#pragma scop
    for (int it = 0; it < goal; it++) {
        int most = 0;
        for (int i = 0; i < n; i++)
            most = most > (a[i] & 255) ? most : (a[i] & 255);
        if (most > 200) {
            what[0] = what[0] + 1;
            for (int i = 0; i < n; i++)
                a[i] = a[i] / 3;
        } else if (most < 8) {
            what[1] = it;
            break;
        } else if (most % 5 == 1) {
            a[0] = a[0] + 1;
            continue;
        } else {
            b[0] = b[0] ^ most;
            if (most % 7 == 1)
                break;
            what[2] = most;
        }
        for (int i = 0; i < n; i++)
            b[i] = a[i] + it;
        for (int i = 0; i < n; i++)
            a[i] = b[i] - (it + 1) / 2 - (b[i] & 3);
        what[3] = what[3] + most;
    }
#pragma endscop
}

/* What a condition was is not what it is: the variable changes before the round is over. */
void changed_behind(int n, int goal, int a[static const restrict n], int flag[static const restrict 2])
{
    int it = 0;
#pragma scop
    for (;;) {
        it++;
        if (flag[0] > 0) {
            flag[0] = flag[0] - 3;
            if (flag[0] > 5)
                continue;
            flag[1] = flag[1] + 1;
        } else
            flag[0] = flag[0] + (goal & 7);
        for (int i = 0; i < n; i++)
            a[i] = a[i] + flag[0];
        if (it > 9)
            break;
    }
#pragma endscop
}

/* Bounds that have a value only where the round is not over yet, and one that is always there. */
void bounded(int n, int goal, int a[static const restrict n], int b[static const restrict n],
             int what[static const restrict 2])
{
    int half = n / 2;
#pragma scop
    for (int it = 0; it < goal; it++) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum += a[i] & 7;
        if (it > 1 && (sum & 3) == 0)
            continue;
        if (sum == 0)
            break;
        int most = sum % 16;
        int quarter = half / 2;
        for (int i = 0; i < most && i < n; i++)
            b[i] = b[i] + 1;
        for (int i = 0; i < quarter; i++)
            b[i] = b[i] * 2;
        for (int i = half; i < n; i++)
            a[i] = a[i] / 2 + (b[0] & 1);
        what[0] = most;
    }
    what[1] = half;
#pragma endscop
}
