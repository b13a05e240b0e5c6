// A lattice Boltzmann step, two dimensions and nine directions, as tables of directions have it: pulled, pushed around
// periodic borders, and bounced back.
// sizes: ny=1,5,20 nx=1,6,40
#include <pencil.h>
static const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double w[9] = {4./9, 1./9, 1./9, 1./9, 1./9, 1./36, 1./36, 1./36, 1./36};
void step(int ny, int nx, double tau, const double f[static const restrict 9][ny][nx], double g[static const restrict 9][ny][nx]) {
#pragma scop
  for (int y = 1; y < ny - 1; y++)
    for (int x = 1; x < nx - 1; x++) {
      double rho = 0, ux = 0, uy = 0;
      for (int k = 0; k < 9; k++) {
        double v = f[k][y - cy[k]][x - cx[k]];
        rho += v; ux += cx[k] * v; uy += cy[k] * v;
      }
      ux /= rho; uy /= rho;
      double uu = 1.5 * (ux * ux + uy * uy);
      for (int k = 0; k < 9; k++) {
        double cu = 3 * (cx[k] * ux + cy[k] * uy);
        double feq = w[k] * rho * (1 + cu + 0.5 * cu * cu - uu);
        double v = f[k][y - cy[k]][x - cx[k]];
        g[k][y][x] = v - (v - feq) / tau;
      }
    }
#pragma endscop
}
void push(int ny, int nx, double tau, const double f[static const restrict 9][ny][nx], double g[static const restrict 9][ny][nx]) {
#pragma scop
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++)
      for (int k = 0; k < 9; k++) {
        int tx = (x + cx[k] + nx) % nx, ty = (y + cy[k] + ny) % ny;
        g[k][ty][tx] = f[k][y][x];
      }
#pragma endscop
}
void bounce(int ny, int nx, const int solid[static const restrict ny][nx], double f[static const restrict ny][nx][9], double g[static const restrict ny][nx][9]) {
  static const int opp[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
#pragma scop
  for (int y = 1; y < ny - 1; y++)
    for (int x = 1; x < nx - 1; x++)
      for (int k = 0; k < 9; k++) {
        int px = x - cx[k], py = y - cy[k];
        if (solid[py][px]) g[y][x][k] = f[y][x][opp[k]];
        else g[y][x][k] = f[py][px][k];
      }
#pragma endscop
}
