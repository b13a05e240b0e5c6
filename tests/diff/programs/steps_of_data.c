/* Third clauses that step by what data, or the body, say: such a loop is a `while`. */
#include <pencil.h>
int stepped(int n, const int len[static const restrict n], int o[static const restrict n])
{
    int c = 0;
#pragma scop
    for (int i = 0; i < n; i++) o[i] = 0;
    for (int i = 0; i < n; i += len[i] > 0 ? len[i] & 7 | 1 : 1) { o[i] = 1; c++; }
    int s = 1;
    for (int i = 0; i < n; i += s) { o[i] += 2; s = 1 + i % 3; }
#pragma endscop
    return c;
}
// sizes: n=0,1,33
