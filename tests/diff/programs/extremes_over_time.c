// Recurrences in a loop over time beside what each element keeps of it (a maximum, a count) and what each step sums up.
// sizes: t=1,2,19 n=1,33,300
#include <pencil.h>

void averages(int t, int n, const float price[static const restrict t][n], float average[static const restrict n],
              float fall[static const restrict n], int rises[static const restrict n], int ups[static const restrict t],
              float most[static const restrict t])
{
#pragma scop
    for (int s = 0; s < t; s++) {
        ups[s] = 0;
        most[s] = 0;
        for (int i = 0; i < n; i++) {
            float old = average[i];
            average[i] = old + 0.1f * (price[s][i] - old);
            if (average[i] > old) ups[s]++;
            if (average[i] > old) rises[i]++;
            if (old - average[i] > fall[i]) fall[i] = old - average[i];
        }
        for (int i = 0; i < n; i++)
            if (most[s] < average[i]) most[s] = average[i];
    }
#pragma endscop
}

void wave(int t, int n, float u[static const restrict n], float v[static const restrict n],
          float peak[static const restrict n], int last[static const restrict n])
{
#pragma scop
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            v[i] += 0.1f * (u[i - 1] - 2 * u[i] + u[i + 1]);
        for (int i = 1; i < n - 1; i++) {
            u[i] += v[i];
            if (u[i] > peak[i]) {
                peak[i] = u[i];
                last[i] = s;
            }
        }
    }
#pragma endscop
}

void no_recurrence(int t, int n, const float x[static const restrict t][n], float most[static const restrict n])
{
#pragma scop
    for (int s = 0; s < t; s++)
        for (int i = 0; i < n; i++)
            if (x[s][i] > most[i]) most[i] = x[s][i];
#pragma endscop
}
