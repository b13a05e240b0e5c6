void halve(int rows, int cols, float m[static const restrict rows * cols])
{
#pragma scop
    for (int r = 0; r < rows; r++) {
        float *row = &m[r * cols];
        for (int c = 0; c < cols; c++)
            row[c] *= 0.5f;
    }
#pragma endscop
}
