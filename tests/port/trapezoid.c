#include <math.h>

static double f(double x) { return exp(-x * x) * cos(x); }

double integrate(double a, double b, int n)
{
    double h = (b - a) / n;
    double s = 0.5 * (f(a) + f(b));
    for (int i = 1; i < n; i++)
        s += f(a + i * h);
    return s * h;
}
