#include <pencil.h>

#define match(b1, b2) ((b1) + (b2) == 3 ? 1 : 0)
#define max_score(s1, s2) ((s1 >= s2) ? s1 : s2)

void nussinov(int n, const signed char seq[static const restrict n], int table[static const restrict n][n]) {
#pragma scop
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            int t;
            t = table[i][j];
            if (j - 1 >= 0)
                t = max_score(t, table[i][j - 1]);
            if (i + 1 < n)
                t = max_score(t, table[i + 1][j]);
            if (j - 1 >= 0 && i + 1 < n) {
                if (i < j - 1)
                    t = max_score(t, table[i + 1][j - 1] + match(seq[i], seq[j]));
                else
                    t = max_score(t, table[i + 1][j - 1]);
            }
            for (int k = i + 1; k < j; k++)
                t = max_score(t, table[i][k] + table[k + 1][j]);
            table[i][j] = t;
        }
#pragma endscop
}
