// CUB's sums with the same semantics as bench/gpu/kernels/sums.c: narrow types accumulate in wider ones.
// Every function follows CUB's protocol: without `temp` it tells how many bytes it needs.
#include <cub/device/device_reduce.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda/std/functional>

#define SUM(name, type, accumulator)                                                                                 \
    extern "C" cudaError_t cub_sum_##name(void *temp, size_t *bytes, const type *in, accumulator *out, long long n,     \
                                          cudaStream_t stream)                                                       \
    {                                                                                                                \
        return cub::DeviceReduce::Reduce(temp, *bytes, in, out, n, cuda::std::plus<accumulator>{}, static_cast<accumulator>(0), stream); \
    }

SUM(int8, signed char, int)
SUM(half, __half, float)
SUM(bfloat16, __nv_bfloat16, float)
SUM(float, float, float)
SUM(double, double, double)
SUM(int32, int, int)
SUM(int64, long long, long long)

template <int MEMBERS>
struct floats {
    float member[MEMBERS];
};

template <int MEMBERS>
struct add_floats {
    __host__ __device__ floats<MEMBERS> operator()(const floats<MEMBERS> &a, const floats<MEMBERS> &b) const
    {
        floats<MEMBERS> sum;
        #pragma unroll
        for (int k = 0; k < MEMBERS; k++) sum.member[k] = a.member[k] + b.member[k];
        return sum;
    }
};

#define SUM_STRUCT(size)                                                                                             \
    extern "C" cudaError_t cub_sum_struct##size(void *temp, size_t *bytes, const floats<size / 4> *in,                 \
                                                floats<size / 4> *out, long long n, cudaStream_t stream)             \
    {                                                                                                                \
        return cub::DeviceReduce::Reduce(temp, *bytes, in, out, n, add_floats<size / 4>{}, floats<size / 4>{}, stream); \
    }

SUM_STRUCT(8)
SUM_STRUCT(12)
SUM_STRUCT(16)
SUM_STRUCT(32)
