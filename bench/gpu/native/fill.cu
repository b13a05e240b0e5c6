// Fills device memory with the inputs of data.h.

BENCH_BOTH static inline unsigned bench_float_bits(float value)
{
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// A half of [0, 1) in steps of 2^-10: never subnormal, never rounded.
BENCH_BOTH static inline unsigned short bench_half_bits(float value)
{
    const unsigned bits = bench_float_bits(value);
    return bits == 0 ? 0 : (unsigned short)(((bits >> 23) - 127 + 15) << 10 | (bits >> 13 & 0x3ff));
}

static __global__ void bench_fill_kernel(int kind, void *to, long long count, int seed, long long parameter)
{
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        const double value = bench_value(kind, i, seed, parameter);
        switch (kind) {
        case BENCH_I8: ((signed char *)to)[i] = (signed char)value; break;
        case BENCH_F16: ((unsigned short *)to)[i] = bench_half_bits((float)value); break;
        case BENCH_BF16: ((unsigned short *)to)[i] = (unsigned short)(bench_float_bits((float)value) >> 16); break;
        case BENCH_F64: ((double *)to)[i] = value; break;
        case BENCH_I64: ((long long *)to)[i] = (long long)value; break;
        case BENCH_I32: case BENCH_UNIFORM: case BENCH_SKEWED: case BENCH_BEFORE: case BENCH_AFTER: ((int *)to)[i] = (int)value; break;
        case BENCH_TRACKS:
            if (i % 8 == 0) ((int *)to)[i] = (int)value;
            else ((float *)to)[i] = (float)value;
            break;
        default: ((float *)to)[i] = (float)value;
        }
    }
}

// `count` words or elements of the kind.
extern "C" cudaError_t bench_fill(int kind, void *to, long long count, int seed, long long parameter, cudaStream_t stream)
{
    if (count <= 0) return cudaSuccess;
    const long long blocks = (count + 255) / 256;
    bench_fill_kernel<<<(unsigned)(blocks < 65535 ? blocks : 65535), 256, 0, stream>>>(kind, to, count, seed, parameter);
    return cudaGetLastError();
}
