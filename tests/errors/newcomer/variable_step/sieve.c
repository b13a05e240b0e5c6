void sieve(int n, char prime[static const restrict n])
{
#pragma scop
    for (int i = 2; i < n; i++)
        for (int j = 2 * i; j < n; j += i)
            prime[j] = 0;
#pragma endscop
}
