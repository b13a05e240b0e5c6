#include <math.h>
#include <stdlib.h>

typedef struct graph {
    int n;
    int m;
    int *row;    /* n + 1 */
    int *col;    /* m */
    int *outdeg; /* n */
} graph;

double pagerank_step(const graph *g, const double *rank, double *next, double damping)
{
    double dangling = 0.0;
    for (int v = 0; v < g->n; ++v)
        if (g->outdeg[v] == 0)
            dangling += rank[v];

    double err = 0.0;
    const double base = (1.0 - damping) / g->n + damping * dangling / g->n;
    for (int v = 0; v < g->n; ++v) {
        double acc = 0.0;
        for (int e = g->row[v]; e < g->row[v + 1]; ++e) {
            int u = g->col[e];
            acc += rank[u] / g->outdeg[u];
        }
        next[v] = base + damping * acc;
        err += fabs(next[v] - rank[v]);
    }
    return err;
}
