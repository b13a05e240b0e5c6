// The least and the greatest of the elements that count: a condition beside the comparison.
// sizes: n=0,1,33,1009 m=1,40
#include <pencil.h>

float least_of_some(int n, const float x[static const restrict n], const int valid[static const restrict n]) {
    float least = 1000.0f;
#pragma scop
    for (int i = 0; i < n; i++)
        if (valid[i] && x[i] < least)
            least = x[i];
#pragma endscop
    return least;
}

// The first place of a value, and the last one; what it begins with is data.
int places(int n, int key, int begin, const int a[static const restrict n], int last[static const restrict 1]) {
    int first = n;
#pragma scop
    last[0] = begin;
    for (int i = 0; i < n; i++) {
        if (a[i] == key && i < first)
            first = i;
        if (i > last[0] && a[i] != key && a[i] > -5) {
            last[0] = i;
        }
    }
#pragma endscop
    return first;
}

void rows(int n, int m, const float a[static const restrict n][m], const int from[static const restrict n],
          float most[static const restrict n], int least[static const restrict m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        most[i] = a[i][0];
        for (int j = 1; j < m; j++)
            if (from[i] <= j && j <= i && most[i] < a[i][j])
                most[i] = a[i][j];
    }
    for (int j = 0; j < m; j++)
        least[j] = 100;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i][j] > 0.0f && (from[i] + j) % 20 < least[j])
                least[j] = (from[i] + j) % 20;
#pragma endscop
}

// What stands behind the comparison is read at a place that data choose: only where the source does.
int stays(int n, const int a[static const restrict n], const int at[static const restrict n]) {
    int least = 50;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] < least && a[at[i] & 0] != 3)
            least = a[i];
#pragma endscop
    return least;
}
