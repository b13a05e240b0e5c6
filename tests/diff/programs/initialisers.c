// Initialisers: strings, flat lists of nested elements, designators; empty statements, static assertions, every compound assignment.
#include <pencil.h>
// sizes: n=0,1,33
inline static int tw(register int x) { return x * 2; }
static int table(int i) { static const int T[] = { 3, 1, 4, 1, 5 }; return T[i % 5]; }
static int str(int i) { const char s[] = "hello"; return s[i % 6]; }
static int loc(int i) { const int k[3][2] = { { 1, 2 }, { 3, 4 }, { 5, 6 } }; return k[i % 3][i & 1]; }
_Static_assert(sizeof(int) == 4, "int");
void f(const int n, const int a[static const restrict n][3], int o[static const restrict n], long long w[const restrict n])
{
#pragma scop
  int t[] = { 5, 6, 7 };
  const char msg[] = "ab\tc";
  ;
  for (int i = 0; i < n; i++) {
    if (a[i][0] > 2) ; else o[i] = 1;
    o[i] = tw(a[i][1]) + table(i) + str(i) + loc(i) + t[i % 3] + msg[i % 5] + (int)sizeof(a[0]) + (int)sizeof msg;
    w[i] = 0x7fffffffffffffffLL - i + 0777 + 1ULL;
    { { o[i] += 1; } }
    (void)n;
    o[i] <<= 1; o[i] >>= 2; o[i] %= 1000; o[i] /= 3; o[i] *= -1; o[i] -= 5; ++o[i]; o[i]--;
  }
#pragma endscop
}
static const char NAME[] = "sm\x41ll\0tail" "er";
static const unsigned char U[4] = "\377\x80z";
static const struct { char tag[4]; int v; } REC[] = { "ab", 3, { "cd", 4 }, { .v = 5, .tag = { 'x' } } };
static const int PAIRS[][2] = { 1, 2, 3, 4, 5 };
void g(int n, int o[static const restrict n][4])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    o[i][0] = NAME[i % (int)sizeof NAME];
    o[i][1] = U[i % 4] + REC[i % 3].v + REC[i % 3].tag[i % 4];
    o[i][2] = PAIRS[i % (int)(sizeof PAIRS / sizeof PAIRS[0])][i & 1];
    char w[2][4] = { "abc", { "de" } };
    w[1][3] = (char)i;
    o[i][3] = w[i & 1][i % 4];
  }
#pragma endscop
}
