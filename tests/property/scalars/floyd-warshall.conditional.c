#include <pencil.h>

void floyd_warshall(int n, int path[static const restrict n][n]) {
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int d;
                d = path[i][k] + path[k][j];
                if (d < path[i][j])
                    path[i][j] = d;
            }
#pragma endscop
}
