void copy(int n, const float input[static const restrict n], float output[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        ouput[i] = input[i];
#pragma endscop
}
