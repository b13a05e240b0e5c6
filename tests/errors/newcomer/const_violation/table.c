struct cell {
    int kind;
};
void age(int n, const struct cell c[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        c[i].kind++;
#pragma endscop
}
