struct body { double x, y, mass; };

void heavier(int n, struct body b[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i].mas = 2;
#pragma endscop
}
