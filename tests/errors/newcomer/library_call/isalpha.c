#include <ctype.h>

int letters(int n, const char text[static const restrict n])
{
    int count = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (isalpha((unsigned char)text[i]) || isdigit((unsigned char)text[i]))
            count++;
#pragma endscop
    return count;
}
