
// ---- the error of every sum, in units of the last place of its type

#include <cmath>
#include <cstdio>
#include <vector>

static const int COUNT = 1 << 21;
static std::vector<float> data(COUNT), sums(8), two(2);

static __float128 exact(int first, int step, int count) {
    __float128 sum = 0;
    for (int k = 0; k < count; k++) sum += data[first + (long)k * step];
    return sum;
}

static void show(const char *name, double sum, __float128 right, double unit) {
    const __float128 error = (sum - right) / right;
    printf("%s %g\n", name, std::fabs((double)error) / unit);
}

int main(int argc, char **) {
    const double single = std::ldexp(1.0, -24), twice = std::ldexp(1.0, -53), half = std::ldexp(1.0, -11);
    // Many equal values, or some that cancel each other and swallow those between them.
    const bool cancelling = argc > 1;
    for (int i = 0; i < COUNT; i++) data[i] = cancelling ? (i % 4 == 0 ? 1e8f : i % 4 == 2 ? -1e8f : 0.1f) : 0.1f;
    all(COUNT, data.data(), two.data());
    show("all", two[0], exact(0, 1, COUNT), single);
    in_rows(2, COUNT / 2, data.data(), sums.data());
    show("long", sums[1], exact(COUNT / 2, 1, COUNT / 2), single);
    in_rows(3, 1500, data.data(), sums.data());
    show("short", sums[1], exact(1500, 1, 1500), single);
    for (int i = 0; i < COUNT; i++) if (cancelling) data[i] = i / 3 % 4 == 0 ? 1e8f : i / 3 % 4 == 2 ? -1e8f : 0.1f;
    // A thread takes a row of every so many: those that it takes must not all be of one kind.
    in_columns(COUNT / 3, 3, data.data(), sums.data());
    show("columns", sums[1], exact(1, 3, COUNT / 3), single);
    for (int i = 0; i < COUNT; i++) data[i] = cancelling ? (i % 4 == 0 ? 1e8f : i % 4 == 2 ? -1e8f : 0.1f) : 0.1f;
    in_threads(3, 200000, data.data(), sums.data());
    show("threads", sums[2], exact(0, 1, 200000), single);
    std::vector<double> doubles(COUNT);
    for (int i = 0; i < COUNT; i++) doubles[i] = cancelling ? (i % 4 == 0 ? 1e17 : i % 4 == 2 ? -1e17 : 0.1) : 0.1;
    __float128 right = 1;
    for (double value : doubles) right += value;
    show("detected", detected(COUNT, doubles.data()), right, twice);
    const float small = std::ldexp(1.0f, -12);
    for (int i = 0; i < COUNT; i++) data[i] = cancelling ? (i % 4 == 0 ? 32768.0f : i % 4 == 2 ? -32768.0f : small) : small;
    show("halves", halves(1 << 17, data.data()), exact(0, 1, 1 << 17), half);
    std::vector<float> zeros(3000, -0.0f);
    printf("zeros %g\n", special(3000, zeros.data()));
    zeros[1009] = INFINITY;
    printf("infinite %g\n", special(3000, zeros.data()));
    zeros[77] = 1.0f;
    zeros[2009] = -INFINITY;
    printf("none %d\n", std::isnan(special(3000, zeros.data())));
    return 0;
}
