// Helpers with external linkage are called by regions and by the host: plain ones, one that CUDA's headers have taken
// the name of, one that reads a table, and those with structs, rows and pointers.
#include <math.h>
#include <pencil.h>
#include <stdio.h>

typedef struct { float x, y; } Pair;

static void zero(double *x) { *x = 0; }
double add(double a, double b) { return a + b; }
static double half_of(double x) { return mix(x, 2 * x, 0.5) / 2; }
double saturate(double a, double b) { return a < b ? b : a; }
float scaled(float x) { return (float)(half_of(x) + saturate(x, 2) * x) + fminf(x, 1); }
static const int table[3] = {4, 5, 6};
int lookup(int i) { return table[i % 3]; }
Pair moved(Pair p, float by) { p.x += by; p.y -= by; return p; }
float norm(int n, int m, const float a[n][m])
{
    float s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += a[i][j] * a[i][j];
    return s;
}
void fill(int n, float a[n], float v) { for (int i = 0; i < n; i++) a[i] = v; }

double sum(int n, const double a[static const restrict n], float o[static const restrict n], float p[static const restrict 8][4])
{
    double s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    for (int i = 0; i < n; i++) {
        Pair q = {(float)a[i], 2};
        o[i] = scaled((float)a[i]) + (float)lookup(i) + moved(q, 3).x;
    }
    for (int i = 0; i < 8; i++) {
        fill(4, p[i], (float)i);
        p[i][1] = p[i][0] + p[i][3];
    }
    return s;
}

int main(void)
{
    double a[50];
    float o[50], p[8][4], *row = p[2];
    for (int i = 0; i < 50; i++)
        a[i] = i;
    for (int i = 0; i < 32; i++)
        p[i / 4][i % 4] = 1;
    Pair q = {1, 2};
    double s = sum(50, a, o, p);
    fill(3, row + 1, 2);
    printf("%g %g %g %d %g %g\n", s, o[7], scaled(3) + add(1, 2), lookup(4), moved(q, 2).y,
           saturate(3, 4) + norm(8, 4, (const float (*)[4])p));
    return 0;
}
