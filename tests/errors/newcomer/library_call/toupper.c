#include <ctype.h>

void shout(int n, char text[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        text[i] = toupper(text[i]);
#pragma endscop
}
