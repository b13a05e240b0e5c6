void transpose(float out[static const restrict cols][rows], const float in[static const restrict rows][cols], int rows, int cols)
{
#pragma scop
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            out[c][r] = in[r][c];
#pragma endscop
}
