// What another order of plain floating updates would change: the rounding of sums, and what a NaN does to a selection.
#include <pencil.h>

double total(int n, const double v[static const restrict n])
{
    double s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += v[i]; // warning[PC0701]: nothing is parallel here: one GPU thread runs it (another order would change the rounding of `s`)
#pragma endscop
    return s;
}

double largest(int n, const double v[static const restrict n])
{
    double s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s = s > v[i] ? s : v[i]; // warning[PC0701]: one GPU thread runs it (another order would change `s` where an element is not a number)
#pragma endscop
    return s;
}

double both(int n, const double v[static const restrict n])
{
    double s = 0, t = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        s = s > v[i] ? s : v[i];
        t += v[i]; // warning[PC0701]: one GPU thread runs it (another order would change the rounding of `t`)
    }
#pragma endscop
    return s + t;
}

static unsigned next(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

double sampled(int n, const double v[static const restrict n])
{
    double s = 0;
    unsigned state = 1;
#pragma scop
    for (int i = 0; i < n; i++)
        s += v[next(&state) % n]; // warning[PC0701]: one GPU thread runs it (no loop has iterations that do not need each other)
#pragma endscop
    return s;
}

double squares(int n, const double v[static const restrict n])
{
    double smooth = 0, s = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        smooth = 0.5 * (smooth + v[i]); // warning[PC0701]: one GPU thread runs it (no loop has iterations that do not need each other)
        s += smooth * smooth;
    }
#pragma endscop
    return s;
}

double simulated(int paths, int steps, unsigned seed)
{
    double sum = 0;
#pragma scop
    for (int p = 0; p < paths; p++) {
        unsigned s = seed ^ (p * 2654435761u);
        double value = 1;
        for (int t = 0; t < steps; t++) {
            s = s * 1664525u + 1013904223u;
            value *= 1.0 + s * 1e-12;
        }
        sum += value; // warning[PC0701]: nothing is parallel here: one GPU thread runs it (another order would change the rounding of `sum`)
    }
#pragma endscop
    return sum / paths;
}
