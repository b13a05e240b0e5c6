#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
    double spot, strike, rate, vol, maturity;
} Option;

typedef struct {
    uint64_t s;
} Rng;

static inline double rng_uniform(Rng *r)
{
    r->s = r->s * 6364136223846793005ULL + 1442695040888963407ULL;
    return ((r->s >> 11) + 0.5) * (1.0 / 9007199254740992.0);
}

static double rng_normal(Rng *r)
{
    double u = rng_uniform(r), v = rng_uniform(r);
    return sqrt(-2.0 * log(u)) * cos(2.0 * 3.14159265358979323846 * v);
}

/* Prices an Asian call by Monte Carlo; returns the standard error as well. */
double price_asian(const Option *opt, int paths, int steps, double *stderr_out)
{
    double sum = 0.0, sum2 = 0.0;
    double dt, drift, diffusion;

    if (paths <= 1 || steps <= 0)
        return 0.0;

    dt = opt->maturity / steps;
    drift = (opt->rate - 0.5 * opt->vol * opt->vol) * dt;
    diffusion = opt->vol * sqrt(dt);

    for (int p = 0; p < paths; p++) {
        Rng rng = { 0x9E3779B97F4A7C15ULL * (uint64_t)(p + 1) };
        double s = opt->spot, avg = 0.0;
        for (int t = 0; t < steps; t++) {
            s *= exp(drift + diffusion * rng_normal(&rng));
            avg += s;
        }
        avg /= steps;
        double payoff = avg > opt->strike ? avg - opt->strike : 0.0;
        sum += payoff;
        sum2 += payoff * payoff;
    }
    double mean = sum / paths;
    if (stderr_out)
        *stderr_out = sqrt((sum2 / paths - mean * mean) / (paths - 1));
    return exp(-opt->rate * opt->maturity) * mean;
}
