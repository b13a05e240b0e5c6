#include <math.h>

struct planet {
    double place[3], speed[3], mass;
};

/* Kinetic and potential energy together. */
double total_energy(int count, const struct planet *planet)
{
    double energy = 0.0;
    for (int p = 0; p < count; p++) {
        const double *v = planet[p].speed;
        energy += 0.5 * planet[p].mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int q = p + 1; q < count; q++) {
            double dx = planet[p].place[0] - planet[q].place[0];
            double dy = planet[p].place[1] - planet[q].place[1];
            double dz = planet[p].place[2] - planet[q].place[2];
            energy -= planet[p].mass * planet[q].mass / sqrt(dx * dx + dy * dy + dz * dz + 1e-9);
        }
    }
    return energy;
}
