/* Particles whose coordinates lie in arrays of their own. */
struct particles {
    float *x, *y;
    float *vx, *vy;
    int count;
};

/* Move them, with walls at 0 and 1; returns how often one of them hit a wall. */
int move(struct particles *swarm, float dt)
{
    int hits = 0;
    for (int i = 0; i < swarm->count; i++) {
        float x = swarm->x[i] + dt * swarm->vx[i];
        float y = swarm->y[i] + dt * swarm->vy[i];
        if (x < 0.0f || x > 1.0f) {
            swarm->vx[i] = -swarm->vx[i];
            hits += 1;
        } else
            swarm->x[i] = x;
        if (y < 0.0f || y > 1.0f) {
            swarm->vy[i] = -swarm->vy[i];
            hits += 1;
        } else
            swarm->y[i] = y;
    }
    return hits;
}
