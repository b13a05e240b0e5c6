#include <string.h>
void histogram(int n, const unsigned char img[static const restrict n], unsigned hist[static const restrict 256])
{
#pragma scop
    memset(hist, 0, 256 * sizeof(unsigned));
    for (int i = 0; i < n; i++)
        hist[img[i]]++;
#pragma endscop
}
