float table[256];
void look_up(int n, const unsigned char a[static const restrict n], float b[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = table[a[i]];
#pragma endscop
}
