void copy(int rows, int cols, const double **from, double **to)
{
#pragma scop
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            to[r][c] = from[r][c];
#pragma endscop
}
