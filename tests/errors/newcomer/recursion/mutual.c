static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }

void parity(int n, int a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = even(i);
#pragma endscop
}
