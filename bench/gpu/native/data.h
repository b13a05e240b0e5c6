// The inputs of every measurement: element `i` is a function of its index, so that the device fills an array and the
// host computes the reference without a copy of it.
#ifndef BENCH_DATA_H
#define BENCH_DATA_H

#ifdef __CUDACC__
#define BENCH_BOTH __host__ __device__
#else
#define BENCH_BOTH
#endif

// The numbers are those of `Kind` in bench/gpu/records.py.
enum bench_kind {
    BENCH_I8 = 0,        // -64 .. 63
    BENCH_F16 = 1,       // [0, 1) in steps of 2^-10
    BENCH_BF16 = 2,      // [0, 1) in steps of 2^-7
    BENCH_F32 = 3,       // [0, 1) in steps of 2^-24
    BENCH_F64 = 4,       // [0, 1) in steps of 2^-53
    BENCH_I32 = 5,       // -4 .. 3, so that sums of 2^28 squares fit
    BENCH_I64 = 6,       // -2^23 .. 2^23 - 1
    BENCH_SIGNED = 7,    // float, [-1, 1)
    BENCH_IMAGE = 8,     // float, [1, 2)
    BENCH_UNIFORM = 9,   // int, every bin alike
    BENCH_SKEWED = 10,   // int, each bit set with a probability of 1/16, as in CUB's own benchmarks of low entropy
    BENCH_TRACKS = 11,   // SLAMBench's struct, eight words: int result, float error, float J[6]
    BENCH_BEFORE = 12,   // int, i - 1 but at least 0
    BENCH_AFTER = 13,    // int, i + 1 but at most `parameter` - 1
};

// splitmix64
BENCH_BOTH static inline unsigned long long bench_hash(long long i, int seed)
{
    unsigned long long z = (unsigned long long)i * 0x9e3779b97f4a7c15ull + (unsigned long long)(seed + 1) * 0xd1b54a32d192ed03ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

BENCH_BOTH static inline float bench_unit(long long i, int seed) { return (float)(bench_hash(i, seed) >> 40) / 16777216.0f; }

// The value of an element as the reference sees it; every kind is exact in a double.
BENCH_BOTH static inline double bench_value(int kind, long long i, int seed, long long parameter)
{
    const unsigned long long h = bench_hash(i, seed);
    switch (kind) {
    case BENCH_I8: return (double)((int)(h >> 57) - 64);
    case BENCH_F16: return (double)(h >> 54) / 1024.0;
    case BENCH_BF16: return (double)(h >> 57) / 128.0;
    case BENCH_F64: return (double)(h >> 11) / 9007199254740992.0;
    case BENCH_I32: return (double)((int)(h >> 61) - 4);
    case BENCH_I64: return (double)((long long)(h >> 40) - 8388608);
    case BENCH_SIGNED: return 2.0 * (double)bench_unit(i, seed) - 1.0;
    case BENCH_IMAGE: return 1.0 + (double)(h >> 41) / 8388608.0;
    case BENCH_UNIFORM: return (double)(long long)(h % (unsigned long long)parameter);
    case BENCH_SKEWED: return (double)(long long)((h & (h >> 32) & bench_hash(i, seed + 1) & (bench_hash(i, seed + 1) >> 32)) & (unsigned long long)(parameter - 1));
    case BENCH_TRACKS: {
        const unsigned long long r = h >> 32;
        return i % 8 ? (double)bench_unit(i, seed) : r >> 30 ? 1.0 : -(double)(r % 6);
    }
    case BENCH_BEFORE: return i > 0 ? (double)(i - 1) : 0.0;
    case BENCH_AFTER: return i + 1 < parameter ? (double)(i + 1) : (double)(parameter - 1);
    default: return (double)bench_unit(i, seed);
    }
}

#endif
