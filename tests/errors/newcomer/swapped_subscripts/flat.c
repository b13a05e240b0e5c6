void clear(int rows, int cols, float a[static const restrict rows * cols])
{
#pragma scop
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            a[i * rows + j] = 0;
#pragma endscop
}
