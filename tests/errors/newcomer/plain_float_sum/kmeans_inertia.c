void assign(int n, int d, int k, const float points[static const restrict n][d],
            const float centers[static const restrict k][d], int label[static const restrict n],
            double inertia[static const restrict 1])
{
#pragma scop
    inertia[0] = 0;
    for (int i = 0; i < n; i++) {
        float best = 3e38f;
        int bi = -1;
        for (int c = 0; c < k; c++) {
            float dist = 0;
            for (int j = 0; j < d; j++) {
                float t = points[i][j] - centers[c][j];
                dist += t * t;
            }
            if (dist < best) {
                best = dist;
                bi = c;
            }
        }
        label[i] = bi;
        inertia[0] += best;
    }
#pragma endscop
}
