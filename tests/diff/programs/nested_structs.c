// sizes: n=0,1,33,1009
// Structs in structs, passed, returned, copied and written in part; copies whose size is no multiple of their alignment.
#include <pencil.h>
struct in { int x; float y[3]; };
struct out { struct in a, b[2]; char c; double d; };
typedef struct { struct out o; int k; } outer_t;
static struct in mk(int x, float y) { struct in r = { x, { y, y + 1 } }; return r; }
static outer_t chg(outer_t t) { t.o.b[1].y[2] += 1; t.k++; return t; }
static void ptr(struct in *p, int k) { p->x += k; p->y[0] *= 2; }
void f(int n, struct in par, outer_t a[static const restrict n], struct in res[static const restrict n])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    outer_t t = a[i];
    t.o.b[0] = mk(i, t.o.a.y[1]);
    t.o.b[1] = t.o.b[0];
    t = chg(t);
    struct in q = par;
    ptr(&q, i);
    res[i] = q;
    res[i].y[2] = t.o.b[1].y[2];
    t.o.c = (char)(t.o.c + 1);
    a[i] = t;
    a[i].o.a = res[i];
    for (int j = 0; j < 3; j++) a[i].o.b[0].y[j] += (float)j;
  }
#pragma endscop
}
static void zero(int *p) { *p = 0; }
static int add(int a, int b) { return a + b; }
/* One kernel writes a member, and another that shares its launch reads another one. */
int members_apart(int n, struct in r[static const restrict n])
{
  int total;
#pragma scop
  __pencil_reduction_var_init(&total, zero);
  for (int i = 0; i < n; i++) { r[i].y[1] += 2; __pencil_reduction(&total, r[i].x, add); }
#pragma endscop
  return total;
}
