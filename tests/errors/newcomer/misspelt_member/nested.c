struct point { float x, y; };
struct box { struct point low, high; };

void grow(int n, struct box b[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i].hihg.x += 1;
#pragma endscop
}
