struct cell {
    int kind;
    union { int i; float f; } v;
};

void clear(int n, struct cell c[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        c[i].kind = 0;
#pragma endscop
}
