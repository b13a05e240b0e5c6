// Effects inside of expressions: counters of conditions, cursors in subscripts, values that are kept on the way.
// sizes: n=1,33,200 most=0,5,20
#include <pencil.h>

static int next(unsigned *state) { return (*state = *state * 1664525u + 1013904223u) >> 16 & 7; }

static int digits(int v) {
  int n = 0;
  do
    n++;
  while (v /= 10);
  return n;
}

static int counted_down(int n) {
  int s = 0;
  while (n--)
    s += n;
  return s;
}

static int with_continue(int n) {
  int s = 0;
  while (n-- > 0) {
    if (n == 3)
      continue;
    s += n;
  }
  return s * 10 + n;
}

static int first_step(int n) {
  int k = 0;
  while (++k < n)
    ;
  return k;
}

static int at_the_end(int n) {
  int s = 0;
  do {
    s += 2;
    if (s > 20)
      break;
  } while (--n > 0);
  return s * 10 + n;
}

static int kept(int n) {
  int d, s = 0;
  while ((d = n % 10) != 0) {
    s += d;
    n /= 10;
  }
  return s * 10 + d;
}

static int chosen(int n) {
  int k = n;
  if (++k > 5)
    return k++;
  if (k++ == 4)
    return 100 + k;
  else if (--k < 0)
    return -k;
  return k;
}

static int two(int n) {
  int a = n, b = 2 * n, s = 0;
  while (a-- > 0 && --b > 3)
    s += a * b;
  return s * 1000 + a * 10 + b;
}

// Each result by a cursor of its own.
void results(int n, const int x[static const restrict n], int r[static const restrict n][11]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    int v = x[i] % 50, j = 0;
    unsigned state = v;
    r[i][j++] = next(&state);
    r[i][j++] = next(&state);
    r[i][j++] = digits(v < 0 ? -v : v);
    r[i][j++] = v >= 0 ? counted_down(v) : 0;
    r[i][j++] = with_continue(v);
    r[i][j++] = first_step(v);
    r[i][j++] = at_the_end(v);
    r[i][j++] = kept(v < 0 ? -v : v);
    r[i][j++] = chosen(v);
    int t, u = (t = v + 1) * 2;
    r[i][j++] = two(v) + t;
    r[i][j] = u;
  }
#pragma endscop
}

// What is taken, and where it was.
int taken(int n, const int x[static const restrict n], int out[static const restrict n], int where[static const restrict n]) {
  int k = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    out[i] = 0;
    where[i] = -1;
  }
  for (int i = 0; i < n; i++)
    if (x[i] > 0) {
      where[k] = i;
      out[k++] = x[i];
    }
#pragma endscop
  return k;
}

// Rounds that a counter ends too, if the change does not.
int rounds(int n, int most, double a[static const restrict n], double b[static const restrict n]) {
  double change = 1;
  int done = 0;
#pragma scop
  while (change > 0.01 && done++ < most) {
    change = 0;
    for (int i = 1; i < n - 1; i++) {
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
      if (b[i] - a[i] > change)
        change = b[i] - a[i];
    }
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
  }
#pragma endscop
  return done;
}

int counted_rounds(int n, int most, double a[static const restrict n], double b[static const restrict n]) {
#pragma scop
  while (most-- > 0) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
  }
#pragma endscop
  return most;
}

// Loops that count, and end when something is used up.
int used_up(int n, int most, const int x[static const restrict n]) {
  int left = most, s = 0;
#pragma scop
  for (int i = 0; i < n && left-- > 0; i++) {
    if (x[i] == 3)
      continue;
    s += x[i] & 15;
  }
#pragma endscop
  return s * 100 + left;
}

static int reversed(int v) {
  int s = 0;
  for (int b = 8; b-- && v > 0; v >>= 1)
    s += (v & 1) << b;
  return s;
}

void each(int n, const int x[static const restrict n], int r[static const restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    r[i] = reversed(x[i] & 1023);
#pragma endscop
}
