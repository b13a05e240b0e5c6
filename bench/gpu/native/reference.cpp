// The right results, computed on the host in double precision (integers exactly), from the formulas of data.h alone.
// It shares nothing with what it checks.
#include "data.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <thread>
#include <vector>

namespace {

// Calls `work(first, last, part)` for parts of [0, n) that depend on n alone, on all cores.
void in_parts(long long n, int parts, const std::function<void(long long, long long, int)> &work)
{
    const int workers = (int)std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::thread> threads;
    for (int w = 0; w < workers; w++) {
        threads.emplace_back([=, &work] {
            for (int p = w; p < parts; p += workers) work(n * p / parts, n * (p + 1) / parts, p);
        });
    }
    for (std::thread &thread : threads) thread.join();
}

int parts_of(long long n) { return (int)std::min<long long>(256, std::max<long long>(1, n / 4096)); }

double largest(const std::vector<double> &values)
{
    double found = 0;
    // A NaN is the largest error of all.
    for (double value : values) found = std::isnan(value) || value > found ? value : found;
    return found;
}

}  // namespace

// sums[m] and, for integers, whole[m]: the sum of member m of `n` values with `members` members each.
extern "C" void reference_sums(int kind, long long n, int members, int seed, double *sums, long long *whole)
{
    const int parts = parts_of(n);
    std::vector<double> part_sums(parts * members);
    std::vector<long long> part_whole(parts * members);
    in_parts(n, parts, [&](long long first, long long last, int p) {
        for (long long i = first; i < last; i++) {
            for (int m = 0; m < members; m++) {
                const double value = bench_value(kind, i * members + m, seed, 0);
                part_sums[p * members + m] += value;
                part_whole[p * members + m] += (long long)value;
            }
        }
    });
    for (int m = 0; m < members; m++) {
        sums[m] = 0;
        whole[m] = 0;
        for (int p = 0; p < parts; p++) {
            sums[m] += part_sums[p * members + m];
            whole[m] += part_whole[p * members + m];
        }
    }
}

// four: minimum, maximum, sum, sum of squares.
extern "C" void reference_stats(int kind, long long n, int seed, double *four)
{
    const int parts = parts_of(n);
    std::vector<double> found(4 * parts);
    in_parts(n, parts, [&](long long first, long long last, int p) {
        double low = INFINITY, high = -INFINITY, sum = 0, squares = 0;
        for (long long i = first; i < last; i++) {
            const double value = bench_value(kind, i, seed, 0);
            low = std::min(low, value);
            high = std::max(high, value);
            sum += value;
            squares += value * value;
        }
        found[4 * p] = low, found[4 * p + 1] = high, found[4 * p + 2] = sum, found[4 * p + 3] = squares;
    });
    four[0] = INFINITY, four[1] = -INFINITY, four[2] = 0, four[3] = 0;
    for (int p = 0; p < parts; p++) {
        four[0] = std::min(four[0], found[4 * p]);
        four[1] = std::max(four[1], found[4 * p + 1]);
        four[2] += found[4 * p + 2];
        four[3] += found[4 * p + 3];
    }
}

// The smallest value and the lowest index that has it.
extern "C" void reference_argmin(int kind, long long n, int seed, double *value, long long *index)
{
    const int parts = parts_of(n);
    std::vector<double> values(parts, INFINITY);
    std::vector<long long> indices(parts, -1);
    in_parts(n, parts, [&](long long first, long long last, int p) {
        for (long long i = first; i < last; i++) {
            const double here = bench_value(kind, i, seed, 0);
            if (here < values[p]) values[p] = here, indices[p] = i;
        }
    });
    *value = INFINITY;
    *index = -1;
    for (int p = 0; p < parts; p++) {
        if (values[p] < *value) *value = values[p], *index = indices[p];
    }
}

// The largest error of row sums, relative to the sum of the magnitudes.
extern "C" double reference_rows_error(int kind, long long rows, long long columns, int seed, const float *got)
{
    const int parts = (int)std::min<long long>(256, std::max<long long>(1, rows));
    std::vector<double> worst(parts);
    in_parts(rows, parts, [&](long long first, long long last, int p) {
        for (long long i = first; i < last; i++) {
            double sum = 0, scale = 0;
            for (long long j = 0; j < columns; j++) {
                const double value = bench_value(kind, i * columns + j, seed, 0);
                sum += value;
                scale += std::fabs(value);
            }
            worst[p] = largest({worst[p], std::fabs((double)got[i] - sum) / (scale > 0 ? scale : 1)});
        }
    });
    return largest(worst);
}

extern "C" double reference_columns_error(int kind, long long rows, long long columns, int seed, const float *got)
{
    const int parts = (int)std::min<long long>(256, std::max<long long>(1, columns));
    std::vector<double> worst(parts);
    in_parts(columns, parts, [&](long long first, long long last, int p) {
        const long long width = last - first;
        std::vector<double> sums(width), scales(width);
        for (long long i = 0; i < rows; i++) {
            for (long long j = 0; j < width; j++) {
                const double value = bench_value(kind, i * columns + first + j, seed, 0);
                sums[j] += value;
                scales[j] += std::fabs(value);
            }
        }
        for (long long j = 0; j < width; j++) {
            worst[p] = largest({worst[p], std::fabs((double)got[first + j] - sums[j]) / (scales[j] > 0 ? scales[j] : 1)});
        }
    });
    return largest(worst);
}

namespace {

enum { SOFTMAX, LAYER_NORM, RMS_NORM };

// One row of an operator in place; gamma and beta are buffers 1 and 2 of the seed's series.
void apply(int what, std::vector<double> &row, int seed, double epsilon)
{
    const long long columns = (long long)row.size();
    double sum = 0, squares = 0, high = -INFINITY;
    for (double value : row) sum += value, squares += value * value, high = std::max(high, value);
    if (what == SOFTMAX) {
        double total = 0;
        for (double &value : row) value = std::exp(value - high), total += value;
        for (double &value : row) value /= total;
        return;
    }
    const double mean = what == LAYER_NORM ? sum / columns : 0;
    double variance = 0;
    for (double value : row) variance += (value - mean) * (value - mean);
    const double factor = 1 / std::sqrt(variance / columns + epsilon);
    for (long long j = 0; j < columns; j++) {
        row[j] = (row[j] - mean) * factor * bench_value(BENCH_F32, j, seed + 1, 0);
        if (what == LAYER_NORM) row[j] += bench_value(BENCH_F32, j, seed + 2, 0);
    }
}

}  // namespace

// The largest error of softmax (0), layer norm (1) or RMS norm (2) over the rows; relative to the row's largest result.
extern "C" double reference_normalised_error(int what, long long rows, long long columns, int seed, double epsilon, const float *got)
{
    const int parts = (int)std::min<long long>(256, std::max<long long>(1, rows));
    std::vector<double> worst(parts);
    in_parts(rows, parts, [&](long long first, long long last, int p) {
        std::vector<double> row(columns);
        for (long long i = first; i < last; i++) {
            for (long long j = 0; j < columns; j++) row[j] = bench_value(BENCH_SIGNED, i * columns + j, seed, 0);
            apply(what, row, seed, epsilon);
            double scale = 0;
            for (double value : row) scale = std::max(scale, std::fabs(value));
            for (long long j = 0; j < columns; j++) {
                worst[p] = largest({worst[p], std::fabs((double)got[i * columns + j] - row[j]) / (scale > 0 ? scale : 1)});
            }
        }
    });
    return largest(worst);
}

// SLAMBench's 32 sums over `rows` x `columns` of an image whose rows are `columns` apart; scales: of the magnitudes.
extern "C" void reference_tracks(long long rows, long long columns, int seed, double *sums, double *scales)
{
    const int parts = (int)std::min<long long>(256, std::max<long long>(1, rows));
    std::vector<double> part_sums(32 * parts), part_scales(32 * parts);
    in_parts(rows * columns, parts, [&](long long first, long long last, int p) {
        for (long long i = first; i < last; i++) {
            double word[8], found[32] = {0};
            for (int k = 0; k < 8; k++) word[k] = bench_value(BENCH_TRACKS, 8 * i + k, seed, 0);
            const double result = word[0];
            if (result < 1) {
                found[29] = result == -4, found[30] = result == -5, found[31] = result > -4;
            } else {
                int at = 7;
                found[0] = word[1] * word[1];
                for (int k = 0; k < 6; k++) found[1 + k] = word[1] * word[2 + k];
                for (int j = 0; j < 6; j++) {
                    for (int k = j; k < 6; k++) found[at++] = word[2 + j] * word[2 + k];
                }
                found[28] = 1;
            }
            for (int k = 0; k < 32; k++) {
                part_sums[32 * p + k] += found[k];
                part_scales[32 * p + k] += std::fabs(found[k]);
            }
        }
    });
    for (int k = 0; k < 32; k++) {
        sums[k] = 0, scales[k] = 0;
        for (int p = 0; p < parts; p++) sums[k] += part_sums[32 * p + k], scales[k] += part_scales[32 * p + k];
    }
}

extern "C" void reference_bins(int kind, long long n, int seed, long long bins, long long *counts)
{
    std::fill(counts, counts + bins, 0);
    const int parts = (int)std::max<long long>(1, std::min<long long>(16, n / std::max<long long>(bins, 4096)));
    std::vector<std::vector<long long>> found(parts, std::vector<long long>(bins));
    in_parts(n, parts, [&](long long first, long long last, int p) {
        for (long long i = first; i < last; i++) found[p][(long long)bench_value(kind, i, seed, bins)]++;
    });
    for (const std::vector<long long> &part : found) {
        for (long long b = 0; b < bins; b++) counts[b] += part[b];
    }
}

// The largest relative error of an image after `niter` steps of SRAD.
extern "C" double reference_srad_error(int niter, long long nr, long long nc, double lambda, int seed, const float *got)
{
    const long long n = nr * nc;
    std::vector<double> image(n), c(n), d[4];
    for (std::vector<double> &direction : d) direction.resize(n);
    for (long long i = 0; i < n; i++) image[i] = bench_value(BENCH_IMAGE, i, seed, 0);
    const auto north = [&](long long i) { return i > 0 ? i - 1 : 0; };
    const auto south = [&](long long i) { return i < nr - 1 ? i + 1 : nr - 1; };
    const auto west = [&](long long j) { return j > 0 ? j - 1 : 0; };
    const auto east = [&](long long j) { return j < nc - 1 ? j + 1 : nc - 1; };
    for (int step = 0; step < niter; step++) {
        double sum = 0, squares = 0;
        for (double value : image) sum += value, squares += value * value;
        const double mean = sum / n, variance = squares / n - mean * mean, q0 = variance / (mean * mean);
        for (long long i = 0; i < nr; i++) {
            for (long long j = 0; j < nc; j++) {
                const long long at = i * nc + j;
                const double here = image[at];
                d[0][at] = image[north(i) * nc + j] - here;
                d[1][at] = image[south(i) * nc + j] - here;
                d[2][at] = image[i * nc + west(j)] - here;
                d[3][at] = image[i * nc + east(j)] - here;
                double g = 0, l = 0;
                for (const std::vector<double> &direction : d) g += direction[at] * direction[at], l += direction[at];
                g /= here * here;
                l /= here;
                const double den = 1 + 0.25 * l, q = (0.5 * g - l * l / 16) / (den * den);
                c[at] = std::min(1.0, std::max(0.0, 1 / (1 + (q - q0) / (q0 * (1 + q0)))));
            }
        }
        for (long long i = 0; i < nr; i++) {
            for (long long j = 0; j < nc; j++) {
                const long long at = i * nc + j;
                const double divergence = c[at] * d[0][at] + c[south(i) * nc + j] * d[1][at] + c[at] * d[2][at]
                                        + c[i * nc + east(j)] * d[3][at];
                image[at] += 0.25 * lambda * divergence;
            }
        }
    }
    double worst = 0;
    for (long long i = 0; i < n; i++) worst = largest({worst, std::fabs(got[i] - image[i]) / std::fabs(image[i])});
    return worst;
}

// The largest relative error of `a` after `steps` steps, each from `a` to `b` and back, of a stencil in a square or a cube of
// side n: the mean of five points, or 0.4 of a point and 0.1 of each of its six neighbours.
extern "C" double reference_stencil_error(int dimensions, int steps, long long n, const float *got)
{
    const long long layers = dimensions == 3 ? n : 1, count = layers * n * n;
    const double own = dimensions == 3 ? 0.4 : 0.2, others = dimensions == 3 ? 0.1 : 0.2;
    std::vector<double> a(count), b(count);
    for (long long i = 0; i < count; i++) a[i] = bench_value(BENCH_IMAGE, i, 0, 0), b[i] = bench_value(BENCH_IMAGE, i, 1, 0);
    for (int update = 0; update < 2 * steps; update++) {
        const double *const from = update % 2 == 0 ? a.data() : b.data();
        double *const to = update % 2 == 0 ? b.data() : a.data();
        const long long edge = dimensions == 3 ? 1 : 0;
        for (long long l = edge; l < layers - edge; l++) {
            for (long long i = 1; i < n - 1; i++) {
                for (long long j = 1; j < n - 1; j++) {
                    const long long at = (l * n + i) * n + j;
                    double around = from[at - 1] + from[at + 1] + from[at - n] + from[at + n];
                    if (dimensions == 3) around += from[at - n * n] + from[at + n * n];
                    to[at] = own * from[at] + others * around;
                }
            }
        }
    }
    double worst = 0;
    for (long long i = 0; i < count; i++) worst = largest({worst, std::fabs(got[i] - a[i]) / std::fabs(a[i])});
    return worst;
}

// Of the matrix of a (m x p, seed 0) and b (p x n, seed 1) the elements with these numbers: sums of products, or the least
// sums (`least`); scales: the sums of the magnitudes, or the magnitude.
extern "C" void reference_products(int least, int kind, long long n, long long p, long long count, const long long *at, double *found, double *scales)
{
    in_parts(count, parts_of(count * p), [&](long long first, long long last, int) {
        for (long long s = first; s < last; s++) {
            const long long i = at[s] / n, j = at[s] % n;
            double sum = 0, magnitude = 0, smallest = INFINITY;
            for (long long k = 0; k < p; k++) {
                const double a = bench_value(kind, i * p + k, 0, 0), b = bench_value(kind, k * n + j, 1, 0);
                sum += a * b;
                magnitude += std::fabs(a * b);
                smallest = std::min(smallest, a + b);
            }
            found[s] = least ? smallest : sum;
            scales[s] = least ? std::fabs(smallest) : magnitude;
        }
    });
}

// How much farther away than the nearest of the centres (seed 1) the labelled ones are from the points (seed 0) with these
// numbers, as squares; relative to what the squares of the two are at most.
extern "C" double reference_nearest_error(long long centres, long long dimensions, long long count, const long long *at, const int *labels)
{
    const int parts = parts_of(count * centres * dimensions);
    std::vector<double> worst(parts);
    in_parts(count, parts, [&](long long first, long long last, int p) {
        const auto apart = [&](long long i, long long c) {
            double sum = 0;
            for (long long k = 0; k < dimensions; k++) {
                const double by = bench_value(BENCH_SIGNED, i * dimensions + k, 0, 0) - bench_value(BENCH_SIGNED, c * dimensions + k, 1, 0);
                sum += by * by;
            }
            return sum;
        };
        for (long long s = first; s < last; s++) {
            double nearest = INFINITY;
            for (long long c = 0; c < centres; c++) nearest = std::min(nearest, apart(at[s], c));
            const bool is_one = labels[s] >= 0 && labels[s] < centres;
            worst[p] = largest({worst[p], is_one ? (apart(at[s], labels[s]) - nearest) / (2.0 * dimensions) : INFINITY});
        }
    });
    return largest(worst);
}
