void columns(int rows, int cols, const float m[static const restrict rows][cols], float s[static const restrict cols])
{
#pragma scop
    for (int c = 0; c < cols; c++) {
        s[c] = 0;
        for (int r = 0; r < rows; r++)
            if (m[c][r] > s[c])
                s[c] = m[c][r];
    }
#pragma endscop
}
