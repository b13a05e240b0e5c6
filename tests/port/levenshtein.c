#include <stdlib.h>
#include <string.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
int levenshtein(const char *a, int n, const char *b, int m)
{
    int *d = malloc((n + 1) * (m + 1) * sizeof(int));
    for (int i = 0; i <= n; i++) d[i * (m + 1)] = i;
    for (int j = 0; j <= m; j++) d[j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int cost = a[i - 1] != b[j - 1];
            int best = MIN(d[(i - 1) * (m + 1) + j] + 1, d[i * (m + 1) + j - 1] + 1);
            d[i * (m + 1) + j] = MIN(best, d[(i - 1) * (m + 1) + j - 1] + cost);
        }
    int r = d[n * (m + 1) + m];
    free(d);
    return r;
}
