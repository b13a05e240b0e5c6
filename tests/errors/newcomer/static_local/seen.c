void first_time(int n, const int a[static const restrict n], int b[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        static int seen[16];
        b[i] = seen[a[i] % 16];
    }
#pragma endscop
}
