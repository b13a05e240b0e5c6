#include <math.h>

struct planet {
    double place[3], speed[3], mass;
};

/* Kinetic and potential energy together. */
double total_energy(int count, const struct planet *planets)
{
    double energy = 0.0;
    for (int p = 0; p < count; p++) {
        const double *v = planets[p].speed;
        energy += 0.5 * planets[p].mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int q = p + 1; q < count; q++) {
            double dx = planets[p].place[0] - planets[q].place[0];
            double dy = planets[p].place[1] - planets[q].place[1];
            double dz = planets[p].place[2] - planets[q].place[2];
            energy -= planets[p].mass * planets[q].mass / sqrt(dx * dx + dy * dy + dz * dz + 1e-9);
        }
    }
    return energy;
}
