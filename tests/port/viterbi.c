#include <float.h>
#include <stddef.h>

struct hmm {
    int n_states;
    const float *log_trans; /* n_states x n_states */
    const float *log_emit;  /* n_states x n_symbols */
    int n_symbols;
};

/* One step of Viterbi: the best predecessor of each state. */
void viterbi_step(const struct hmm *m, const float *prev, float *cur, int *back, int symbol)
{
    for (int j = 0; j < m->n_states; j++) {
        float best = -FLT_MAX;
        int arg = 0;
        for (int i = 0; i < m->n_states; i++) {
            float score = prev[i] + m->log_trans[i * m->n_states + j];
            if (score > best) {
                best = score;
                arg = i;
            }
        }
        cur[j] = best + m->log_emit[j * m->n_symbols + symbol];
        back[j] = arg;
    }
}
