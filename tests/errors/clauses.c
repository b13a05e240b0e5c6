// Reduction clauses that do not fit their loop.
#include <pencil.h>
struct pair { float a, b; };

void wrong(int n, const float a[static const restrict n], float out[static const restrict 4])
{
#pragma scop
    float s = 0, t = 0;
    struct pair p;
#pragma pencil independent reduction(+: s, t) // error[PC0211]: `t` of the reduction clause is not updated
    for (int i = 0; i < n; i++)
        s += a[i];
#pragma pencil independent reduction(*: s)
    for (int i = 0; i < n; i++)
        s += a[i]; // error[PC0211]: `s` is not updated with `*` here
#pragma pencil independent reduction(&: s) // error[PC0211]: `reduction(&: s)` wants an integer
    for (int i = 0; i < n; i++)
        s += a[i];
#pragma pencil independent reduction(+: p) // error[PC0211]: `p` of the reduction clause is not updated
    for (int i = 0; i < n; i++)
        p.a *= a[i];
#pragma pencil independent reduction(+: p)
    for (int i = 0; i < n; i++) {
        p.a += a[i];
        p.b *= a[i]; // another member, which the clause does not mean
        p.a *= 2; // error[PC0211]: `p.a` is not updated with `+` here
    }
#pragma endscop
    out[0] = s + t + p.a + p.b;
}
