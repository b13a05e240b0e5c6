struct pair { float lo, hi; }

void ranges(int n, struct pair p[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        p[i].lo = -p[i].hi;
#pragma endscop
}
