void hash(int n, int a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        uint32_t x = i * 2654435761u;
        a[i] = x >> 16;
    }
#pragma endscop
}
