static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

void table(int n, int a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = factorial(i);
#pragma endscop
}
