#define Q 9
#define IDX(x, y, q) (((y) * nx + (x)) * Q + (q))

static const int cx[Q] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 };
static const int cy[Q] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 };
static const double w[Q] = { 4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36 };

/* One step of lattice Boltzmann: collide, then pull from the neighbours with periodic borders. */
void lbm_step(double *restrict f, double *restrict fnew, int nx, int ny, double omega)
{
    for (int y = 0; y < ny; y++) {
        for (int x = 0; x < nx; x++) {
            double rho = 0, ux = 0, uy = 0;
            for (int q = 0; q < Q; q++) {
                double v = f[IDX(x, y, q)];
                rho += v;
                ux += v * cx[q];
                uy += v * cy[q];
            }
            ux /= rho;
            uy /= rho;
            double usq = 1.5 * (ux * ux + uy * uy);
            for (int q = 0; q < Q; q++) {
                double cu = 3.0 * (cx[q] * ux + cy[q] * uy);
                double feq = w[q] * rho * (1.0 + cu + 0.5 * cu * cu - usq);
                f[IDX(x, y, q)] += omega * (feq - f[IDX(x, y, q)]);
            }
        }
    }
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++)
            for (int q = 0; q < Q; q++) {
                int xs = (x - cx[q] + nx) % nx;
                int ys = (y - cy[q] + ny) % ny;
                fnew[IDX(x, y, q)] = f[IDX(xs, ys, q)];
            }
}
