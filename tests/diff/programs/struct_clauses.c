// Clauses for members of structs: beside extremes, of elements that data choose, in nests, one member alone.
#include <pencil.h>

typedef struct { float low, high; double sum, squares; int count; } Summary;
typedef struct { struct { float x, y; } at; int members; } Centre;

void summarize(int n, const float x[static const restrict n], Summary s[static const restrict 1])
{
    s[0].low = 3; s[0].high = 1; s[0].sum = 0.5; s[0].squares = 0; s[0].count = 2;
#pragma pencil independent reduction(+: s)
    for (int i = 0; i < n; i++) {
        if (x[i] < s[0].low) s[0].low = x[i];
        s[0].high = fmaxf(s[0].high, x[i]);
        s[0].sum += x[i];
        s[0].squares += x[i] * x[i];
        s[0].count++;
    }
}

void centres(int n, int k, const float x[static const restrict n][2], const int of[static const restrict n],
             Centre c[static const restrict k])
{
    __pencil_assume(k > 0);
#pragma pencil independent reduction(+: c)
    for (int i = 0; i < n; i++) {
        int own = of[i] % k < 0 ? 0 : of[i] % k;
        c[own].at.x += x[i][0];
        c[own].at.y += x[i][1];
        c[own].members++;
    }
}

void rows(int n, int m, const float x[static const restrict n][m], Summary s[static const restrict n])
{
#pragma pencil independent
    for (int i = 0; i < n; i++) {
        s[i].sum = s[i].squares = 0;
#pragma pencil independent reduction(+: s[i].sum)
        for (int j = 0; j < m; j++) {
            s[i].sum += x[i][j];
            s[i].squares = s[i].squares * 0.5 + x[i][j];
        }
    }
}
