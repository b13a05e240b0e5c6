int hits;
void count(int n, const float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            hits++;
#pragma endscop
}
