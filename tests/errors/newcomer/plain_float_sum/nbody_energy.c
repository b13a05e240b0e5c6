#include <math.h>
struct body { double x, y, z, vx, vy, vz, m; };

double energy(int n, const struct body b[static const restrict n])
{
    double e = 0.0;
#pragma scop
    for (int i = 0; i < n; i++) {
        e += 0.5 * b[i].m * (b[i].vx * b[i].vx + b[i].vy * b[i].vy + b[i].vz * b[i].vz);
        for (int j = i + 1; j < n; j++) {
            double dx = b[i].x - b[j].x, dy = b[i].y - b[j].y, dz = b[i].z - b[j].z;
            e -= b[i].m * b[j].m / sqrt(dx * dx + dy * dy + dz * dz);
        }
    }
#pragma endscop
    return e;
}
