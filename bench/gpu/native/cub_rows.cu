// Row sums, histograms and SLAMBench's 32 sums by CUB.
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

struct row_start {
    long long columns;
    __host__ __device__ long long operator()(long long row) const { return row * columns; }
};

extern "C" cudaError_t cub_row_sums(void *temp, size_t *bytes, int rows, int columns, const float *in, float *out, cudaStream_t stream)
{
    const auto starts = thrust::make_transform_iterator(thrust::counting_iterator<long long>(0), row_start{columns});
    return cub::DeviceSegmentedReduce::Sum(temp, *bytes, in, out, rows, starts, starts + 1, stream);
}

extern "C" cudaError_t cub_histogram(void *temp, size_t *bytes, int n, int bins, const int *in, int *out, cudaStream_t stream)
{
    return cub::DeviceHistogram::HistogramEven(temp, *bytes, in, out, bins + 1, 0, bins, n, stream);
}

struct track {
    int result;
    float error;
    float J[6];
};

struct sums32 {
    float sum[32];
};

struct products {
    __host__ __device__ sums32 operator()(const track &row) const
    {
        sums32 made = {};
        if (row.result < 1) {
            made.sum[29] = row.result == -4 ? 1.0f : 0.0f;
            made.sum[30] = row.result == -5 ? 1.0f : 0.0f;
            made.sum[31] = row.result > -4 ? 1.0f : 0.0f;
            return made;
        }
        made.sum[0] = row.error * row.error;
        int at = 7;
        #pragma unroll
        for (int j = 0; j < 6; j++) {
            made.sum[1 + j] = row.error * row.J[j];
            #pragma unroll
            for (int k = 0; k < 6; k++) {
                if (k >= j) made.sum[at++] = row.J[j] * row.J[k];
            }
        }
        made.sum[28] = 1.0f;
        return made;
    }
};

struct add32 {
    __host__ __device__ sums32 operator()(const sums32 &a, const sums32 &b) const
    {
        sums32 sum;
        #pragma unroll
        for (int k = 0; k < 32; k++) sum.sum[k] = a.sum[k] + b.sum[k];
        return sum;
    }
};

extern "C" cudaError_t cub_tracks(void *temp, size_t *bytes, long long n, const track *in, sums32 *out, cudaStream_t stream)
{
    return cub::DeviceReduce::TransformReduce(temp, *bytes, in, out, n, add32{}, products{}, sums32{}, stream);
}
