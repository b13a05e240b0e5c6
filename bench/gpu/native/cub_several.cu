// Several reductions over one array by CUB: one call each, and one call on a zipped struct; and its argmin.
#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>
#include <float.h>

struct square {
    template <typename T>
    __host__ __device__ T operator()(T value) const { return value * value; }
};

#define SUM_AND_SQUARES(name, type)                                                                                  \
    extern "C" cudaError_t cub_part_sum_##name(void *temp, size_t *bytes, const type *in, type *out, long long n,      \
                                               cudaStream_t stream)                                                  \
    {                                                                                                                \
        return cub::DeviceReduce::Reduce(temp, *bytes, in, out, n, cuda::std::plus<type>{}, type(0), stream);           \
    }                                                                                                                \
    extern "C" cudaError_t cub_part_squares_##name(void *temp, size_t *bytes, const type *in, type *out, long long n,  \
                                                   cudaStream_t stream)                                              \
    {                                                                                                                \
        return cub::DeviceReduce::TransformReduce(temp, *bytes, in, out, n, cuda::std::plus<type>{}, square{}, type(0), stream); \
    }

SUM_AND_SQUARES(int32, int)
SUM_AND_SQUARES(float, float)
SUM_AND_SQUARES(double, double)

extern "C" cudaError_t cub_part_min_float(void *temp, size_t *bytes, const float *in, float *out, long long n, cudaStream_t stream)
{
    return cub::DeviceReduce::Min(temp, *bytes, in, out, n, stream);
}

extern "C" cudaError_t cub_part_max_float(void *temp, size_t *bytes, const float *in, float *out, long long n, cudaStream_t stream)
{
    return cub::DeviceReduce::Max(temp, *bytes, in, out, n, stream);
}

template <typename T>
struct two {
    T sum, squares;
};

template <typename T>
struct make_two {
    __host__ __device__ two<T> operator()(T value) const { return {value, value * value}; }
};

struct add_two {
    template <typename T>
    __host__ __device__ two<T> operator()(const two<T> &a, const two<T> &b) const
    {
        return {a.sum + b.sum, a.squares + b.squares};
    }
};

#define ZIPPED(name, type)                                                                                           \
    extern "C" cudaError_t cub_two_##name(void *temp, size_t *bytes, const type *in, two<type> *out, long long n,      \
                                          cudaStream_t stream)                                                       \
    {                                                                                                                \
        return cub::DeviceReduce::TransformReduce(temp, *bytes, in, out, n, add_two{}, make_two<type>{}, two<type>{}, stream); \
    }

ZIPPED(int32, int)
ZIPPED(float, float)
ZIPPED(double, double)

struct stats {
    float minimum, maximum, sum, squares;
};

struct make_stats {
    __host__ __device__ stats operator()(float value) const { return {value, value, value, value * value}; }
};

struct add_stats {
    __host__ __device__ stats operator()(const stats &a, const stats &b) const
    {
        return {a.minimum < b.minimum ? a.minimum : b.minimum, a.maximum > b.maximum ? a.maximum : b.maximum, a.sum + b.sum,
                a.squares + b.squares};
    }
};

extern "C" cudaError_t cub_stats_float(void *temp, size_t *bytes, const float *in, stats *out, long long n, cudaStream_t stream)
{
    const stats init = {FLT_MAX, -FLT_MAX, 0, 0};
    return cub::DeviceReduce::TransformReduce(temp, *bytes, in, out, n, add_stats{}, make_stats{}, init, stream);
}

struct best {
    float value;
    int index;
};

extern "C" cudaError_t cub_argmin_float(void *temp, size_t *bytes, const float *in, best *out, long long n, cudaStream_t stream)
{
    return cub::DeviceReduce::ArgMin(temp, *bytes, in, &out->value, &out->index, n, stream);
}
