
// ---- the bits of every sum

#include <cstdio>
#include <cstring>
#include <vector>

static const int COUNT = 300000;
static std::vector<float> data(COUNT), sums(COUNT);

template <typename T>
static void show(const char *name, const T *values, int count) {
    unsigned long long hash = 1469598103934665603ull;
    for (size_t k = 0; k < count * sizeof(T); k++) hash = (hash ^ ((const unsigned char *)values)[k]) * 1099511628211ull;
    printf("%s %016llx\n", name, hash);
}

int main() {
    unsigned seed = 17;
    for (float &value : data) {
        seed = seed * 1664525u + 1013904223u;
        value = ((float)(seed >> 8) / 16777216.0f - 0.4f) * (float)(1 << (seed >> 4) % 12);
    }
    const float whole[] = {all(70003, data.data()), all(299993, data.data()), all(1009, data.data()), all(33, data.data())};
    show("all", whole, 4);
    const double products[] = {product(50021, data.data()), product(31, data.data())};
    show("product", products, 2);
    float both[4];
    pitched(37, 1009, 1013, data.data(), both);
    pitched(5003, 7, 9, data.data(), both + 2);
    show("pitched", both, 4);
    in_rows(257, 33, data.data(), sums.data());
    show("short", sums.data(), 257);
    in_rows(41, 1777, data.data(), sums.data());
    show("warps", sums.data(), 41);
    in_rows(13, 20011, data.data(), sums.data());
    show("blocks", sums.data(), 13);
    in_rows(2, 140001, data.data(), sums.data());
    show("splits", sums.data(), 2);
    triangle(301, data.data(), sums.data());
    show("triangle", sums.data(), 301);
    in_columns(5003, 47, data.data(), sums.data());
    in_columns(90001, 3, data.data(), sums.data() + 47);
    show("columns", sums.data(), 50);
    in_layers(5, 1301, 37, data.data(), sums.data());
    show("layers", sums.data(), 5 * 37);
    return 0;
}
