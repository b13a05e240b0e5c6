#include <opencv2/core/types_c.h>
void scale(int n, CvSize size, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = size.width;
#pragma endscop
}
