#include <pencil.h>

#define match(b1, b2) ((b1) + (b2) == 3 ? 1 : 0)
#define max_score(s1, s2) ((s1 >= s2) ? s1 : s2)

void nussinov(int n, const signed char seq[static const restrict n], int table[static const restrict n][n]) {
#pragma scop
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            if (j - 1 >= 0)
                table[i][j] = max_score(table[i][j], table[i][j - 1]);
            if (i + 1 < n)
                table[i][j] = max_score(table[i][j], table[i + 1][j]);
            if (j - 1 >= 0 && i + 1 < n) {
                int m;
                m = table[i + 1][j - 1] + (i < j - 1 ? match(seq[i], seq[j]) : 0);
                table[i][j] = max_score(table[i][j], m);
            }
            for (int k = i + 1; k < j; k++) {
                int s;
                s = table[i][k] + table[k + 1][j];
                table[i][j] = max_score(table[i][j], s);
            }
        }
#pragma endscop
}
