// Conditions of loops that hold with gaps, several at once, divided: a loop ends where its condition fails first.
// sizes: n=0,1,5,9 m=0,4,11 k=0,6
#include <pencil.h>
static void zero(int *x) { *x = 0; }
static int add(int a, int b) { return a + b; }
void either(int n, int m, int k, int o[static const restrict n + m + 8])
{
#pragma scop
    for (int i = 0; i < n || i < m; i++) o[i] = 1;
    for (int i = 0; n > i || m >= i || i < 3; i += 2) o[i] += 2;
#pragma endscop
}

void neither(int n, int m, int k, int o[static const restrict n + m + 8])
{
#pragma scop
    for (int i = 0; !(i >= n && i >= m); i++) o[i] = 4;
    for (int i = 0; !(i >= n || i >= m); i++) o[i] += 8;
    for (int i = n + m; i >= n && i >= k; i -= 3) o[i] += 16;
    for (int i = n + m; i > n || i > k; --i) o[i] += 32;
#pragma endscop
}

void gaps(int n, int m, int k, int o[static const restrict n + m + 80])
{
#pragma scop
    for (int i = 0; i == n; i++) o[i] = 1;
    for (int i = 0; i < 3 || (i > 5 && i < n); i++) o[i] += 2;
    for (int i = k; i < 40 && (i > m || i < n); i++) o[i] += 4;
#pragma endscop
}

void equal(int n, int m, int k, int o[static const restrict n + m + 80])
{
#pragma scop
    for (int i = 0; i != n && i != m; i++) o[i] = 8;
    for (int i = k; i <= n != 0 && i != m; i++) o[i] += 16;
#pragma endscop
}

void unequal(int n, int m, int k, int o[static const restrict n + m + 80])
{
#pragma scop
    for (int i = n + m; i != k && i > 0; i--) o[i] = 32;
    for (int i = m; i < 20 && !(i == n); i++) o[i] += 64;
#pragma endscop
}

void divided(int n, int m, int k, int o[static const restrict 3 * n + 3 * m + 80])
{
#pragma scop
    for (int i = 0; i / 2 < n; i++) o[i] = 1;
    for (int i = 0; i / 3 + 1 <= m; i++) o[i] += 2;
    for (int i = 0; (i - 4) / 3 < n - 3; i++) o[i] += 4;
    for (int i = 0; i >> 1 < n && i >> 2 < m; i++) o[i] += 8;
    for (int i = n; i / 2 >= k - 3 && i >= 0; i--) o[i] += 16;
    for (int i = 0; n - i; i++) o[i] += 32;
    for (int i = 0; !!(i < n); i++) o[i] += 64;
    for (int i = 0; (i < n) == 1; i++) o[i] += 128;
#pragma endscop
}

void chosen(int n, int m, int k, int o[static const restrict n + m + 8])
{
#pragma scop
    for (int i = 0; n > m ? i < n : i < m; i++) o[i] = 1;
    for (int i = 0; i < n && k > 3; i++) o[i] += 2;
    for (int i = 0; i < n && 1; i++) o[i] += 4;
    for (int i = 0; i % 8 < 7 && i < n; i++) o[i] += 8;
    for (int i = 0; i * i < n; i++) o[i] += 16;
    int last;
    for (last = 0; last < n || last == m; last++) o[last] += 32;
    o[n + m + 2] = last;
#pragma endscop
}

void changed(int n, int m, int k, int o[static const restrict n + m + 8])
{
#pragma scop
    int end = n;
    for (int i = 0; i != end && i < n + m; i++) {
        o[i] = 1;
        if (i == k) end = i;
    }
#pragma endscop
}

int helped(int n, int m, const int a[static const restrict n + m])
{
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n || i < m; i++)
        __pencil_reduction(&s, a[i], add);
    return s;
}

void of_two_types(unsigned n, long m, int k, int o[static const restrict n + m + 8])
{
#pragma scop
    for (int i = 0; i < n || i < 7; i++) o[i] = 1;
    for (int i = 0; i < m || i < k; i++) o[i] += 2;
    for (unsigned i = 0; i < n || i < 3; i++) o[i] += 4;
#pragma endscop
}
