
// ---- errors of the sums, and of the loops as they are written, in units of the last place

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

typedef __float128 Wide;

static const int ROWS = 2, COUNT = 1 << 18;
static std::vector<float> data(ROWS *COUNT), sums(ROWS), rest(ROWS *COUNT);

static bool squared;

static double right() {
    Wide shift = 0, sum = 0;
    double largest = -INFINITY;
    for (int i = 0; i < COUNT; i++) shift += data[i], largest = std::max(largest, (double)data[i]);
    shift = squared ? shift / COUNT : largest;
    for (int i = 0; i < COUNT; i++) {
        const Wide away = data[i] - shift;
        sum += squared ? away * away : (Wide)std::exp((double)away);
    }
    return (double)sum;
}

static double as_written() {
    float shift = squared ? 0.0f : -INFINITY, sum = 0.0f;
    for (int i = 0; i < COUNT; i++) shift = squared ? shift + data[i] : std::max(shift, data[i]);
    if (squared) shift = shift / COUNT;
    for (int i = 0; i < COUNT; i++) sum += squared ? (data[i] - shift) * (data[i] - shift) : std::exp(data[i] - shift);
    return sum;
}

// `name`, the error of the generated code, and that of the loops
static void show(const char *name) {
    std::copy(data.begin(), data.begin() + COUNT, data.begin() + COUNT);
    (squared ? squares : exponentials)(ROWS, COUNT, data.data(), sums.data(), rest.data());
    const double wanted = right(), unit = std::ldexp(wanted, -24);
    if (std::memcmp(&sums[0], &sums[1], sizeof(float)) != 0) printf("rows-differ 1 0\n");
    printf("%s-%s %g %g\n", squared ? "squares" : "exponentials", name, std::fabs(sums[0] - wanted) / unit,
           std::fabs(as_written() - wanted) / unit);
}

static void show_special(const char *name) {
    (squared ? squares : exponentials)(ROWS, COUNT, data.data(), sums.data(), rest.data());
    printf("%s-%s %g %g\n", squared ? "squares" : "exponentials", name, (double)sums[0], as_written());
}

int main() {
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    for (int kind = 0; kind < 2; kind++) {
        squared = kind != 0;
        for (int i = 0; i < COUNT; i++) data[i] = normal(random);
        show("normal");
        for (int i = 0; i < COUNT; i++) data[i] = 1000.0f + normal(random);
        show("far");
        for (int i = 0; i < COUNT; i++) data[i] = i * (80.0f / COUNT);
        show("ascending");
        for (int i = 0; i < COUNT; i++) data[i] = -i * (80.0f / COUNT);
        show("descending");
        for (int i = 0; i < COUNT; i++) data[i] = normal(random);
        data[0] = 1000.0f;
        show("first-apart");
        for (int i = 0; i < COUNT; i++) data[i] = normal(random);
        for (int i = 0; i < COUNT; i += 1000) data[i] = 100.0f;
        show("some-apart");
        for (int i = 0; i < COUNT; i++) data[i] = i % 2 ? 1.0f : -1.0f;
        show("two-values");
        for (int i = 0; i < COUNT; i++) data[i] = i < COUNT / 2 ? 0.0f : 3.0f;
        show("halves");
        // Special values: of the generated code, and of the loops.
        std::fill(data.begin(), data.end(), 5.0f);
        show_special("equal");
        std::fill(data.begin(), data.end(), 0.1f);
        show_special("equal-tenths");
        std::fill(data.begin(), data.end(), -INFINITY);
        show_special("all-minus-infinite");
        data[COUNT - 77] = 2.0f, data[3] = 2.0f;
        show_special("mostly-minus-infinite");
        std::fill(data.begin(), data.end(), 1.0f);
        data[1234] = INFINITY;
        show_special("one-infinite");
        data[1234] = NAN;
        show_special("no-number");
        std::fill(data.begin(), data.end(), 1.0f);
        data[0] = 3e38f;
        show_special("nearly-infinite");
    }
    return 0;
}
