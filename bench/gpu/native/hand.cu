// What people wrote by hand: SLAMBench's scheme for its 32 sums, and Rodinia's kernels for SRAD with sums by CUB.
#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>

#define HAND_RETURN(call) do { const cudaError_t error_ = (call); if (error_ != cudaSuccess) return error_; } while (0)

struct track {
    int result;
    float error;
    float J[6];
};

// The scheme of SLAMBench's reduceKernel: 8 blocks of 112 threads, each block takes every eighth row, a thread keeps
// its 32 sums in registers, then 32 threads add up the columns of a shared table one after the other.
static __global__ void __launch_bounds__(112) hand_tracks_kernel(int rows, int columns, const track *image, float *partial)
{
    __shared__ float table[112][32];
    const unsigned thread = threadIdx.x;
    float sums[32];
    #pragma unroll
    for (int k = 0; k < 32; k++) sums[k] = 0;
    for (int y = blockIdx.x; y < rows; y += gridDim.x) {
        for (int x = thread; x < columns; x += blockDim.x) {
            const track row = image[(size_t)y * columns + x];
            if (row.result < 1) {
                sums[29] += row.result == -4 ? 1.0f : 0.0f;
                sums[30] += row.result == -5 ? 1.0f : 0.0f;
                sums[31] += row.result > -4 ? 1.0f : 0.0f;
                continue;
            }
            sums[0] += row.error * row.error;
            int at = 7;
            #pragma unroll
            for (int j = 0; j < 6; j++) {
                sums[1 + j] += row.error * row.J[j];
                #pragma unroll
                for (int k = 0; k < 6; k++) {
                    if (k >= j) sums[at++] += row.J[j] * row.J[k];
                }
            }
            sums[28] += 1.0f;
        }
    }
    #pragma unroll
    for (int k = 0; k < 32; k++) table[thread][k] = sums[k];
    __syncthreads();
    if (thread < 32) {
        for (int k = 1; k < 112; k++) table[0][thread] += table[k][thread];
        partial[blockIdx.x * 32 + thread] = table[0][thread];
    }
}

// SLAMBench adds the eight partial results on the host; here the device does, so that both end in device memory.
static __global__ void hand_tracks_finish(const float *partial, float *out)
{
    float sum = 0;
    for (int block = 0; block < 8; block++) sum += partial[block * 32 + threadIdx.x];
    out[threadIdx.x] = sum;
}

extern "C" cudaError_t hand_tracks(void *temp, size_t *bytes, int rows, int columns, const track *image, float *out, cudaStream_t stream)
{
    if (temp == nullptr) {
        *bytes = 8 * 32 * sizeof(float);
        return cudaSuccess;
    }
    hand_tracks_kernel<<<8, 112, 0, stream>>>(rows, columns, image, (float *)temp);
    HAND_RETURN(cudaGetLastError());
    hand_tracks_finish<<<1, 32, 0, stream>>>((const float *)temp, out);
    return cudaGetLastError();
}

struct square {
    __host__ __device__ float operator()(float value) const { return value * value; }
};

static __global__ void hand_srad_1(int nr, int nc, const float *sums, const float *image, const int *north, const int *south,
                                   const int *west, const int *east, float *dN, float *dS, float *dW, float *dE, float *c)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= nr || j >= nc) return;
    const float count = (float)nr * (float)nc, mean = sums[0] / count, variance = sums[1] / count - mean * mean;
    const float q0 = variance / (mean * mean);
    const size_t at = (size_t)i * nc + j;
    const float here = image[at];
    const float n = image[(size_t)north[i] * nc + j] - here, s = image[(size_t)south[i] * nc + j] - here;
    const float w = image[(size_t)i * nc + west[j]] - here, e = image[(size_t)i * nc + east[j]] - here;
    const float g2 = (n * n + s * s + w * w + e * e) / (here * here), l = (n + s + w + e) / here;
    const float den = 1.0f + 0.25f * l, q = (0.5f * g2 - 1.0f / 16.0f * (l * l)) / (den * den);
    const float value = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
    dN[at] = n, dS[at] = s, dW[at] = w, dE[at] = e;
    c[at] = value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
}

static __global__ void hand_srad_2(int nr, int nc, float lambda, float *image, const int *south, const int *east, const float *dN,
                                   const float *dS, const float *dW, const float *dE, const float *c)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= nr || j >= nc) return;
    const size_t at = (size_t)i * nc + j;
    const float divergence = c[at] * dN[at] + c[(size_t)south[i] * nc + j] * dS[at] + c[at] * dW[at] + c[(size_t)i * nc + east[j]] * dE[at];
    image[at] += 0.25f * lambda * divergence;
}

extern "C" cudaError_t hand_srad(void *temp, size_t *bytes, int niter, int nr, int nc, float lambda, float *image, const int *north,
                                 const int *south, const int *west, const int *east, float *dN, float *dS, float *dW, float *dE,
                                 float *c, cudaStream_t stream)
{
    const long long n = (long long)nr * nc;
    size_t needed[2] = {0, 0};
    HAND_RETURN(cub::DeviceReduce::Sum(nullptr, needed[0], image, image, n, stream));
    HAND_RETURN(cub::DeviceReduce::TransformReduce(nullptr, needed[1], image, image, n, cuda::std::plus<float>{}, square{}, 0.0f, stream));
    size_t inner = needed[0] > needed[1] ? needed[0] : needed[1];
    if (temp == nullptr) {
        *bytes = inner + 256;
        return cudaSuccess;
    }
    float *const sums = (float *)temp;
    void *const rest = (char *)temp + 256;
    const dim3 block(32, 8), grid((nc + 31) / 32, (nr + 7) / 8);
    for (int step = 0; step < niter; step++) {
        HAND_RETURN(cub::DeviceReduce::Sum(rest, inner, image, sums, n, stream));
        HAND_RETURN(cub::DeviceReduce::TransformReduce(rest, inner, image, sums + 1, n, cuda::std::plus<float>{}, square{}, 0.0f, stream));
        hand_srad_1<<<grid, block, 0, stream>>>(nr, nc, sums, image, north, south, west, east, dN, dS, dW, dE, c);
        HAND_RETURN(cudaGetLastError());
        hand_srad_2<<<grid, block, 0, stream>>>(nr, nc, lambda, image, south, east, dN, dS, dW, dE, c);
        HAND_RETURN(cudaGetLastError());
    }
    return cudaSuccess;
}

static __global__ void hand_jacobi_step(int n, const float *from, float *to)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i >= n - 1 || j >= n - 1) return;
    const size_t at = (size_t)i * n + j;
    to[at] = 0.2f * (from[at] + from[at - 1] + from[at + 1] + from[at + n] + from[at - n]);
}

extern "C" cudaError_t hand_jacobi(int steps, int n, float *a, float *b, cudaStream_t stream)
{
    const dim3 block(32, 8), grid((n + 31) / 32, (n + 7) / 8);
    for (int step = 0; step < steps; step++) {
        hand_jacobi_step<<<grid, block, 0, stream>>>(n, a, b);
        HAND_RETURN(cudaGetLastError());
        hand_jacobi_step<<<grid, block, 0, stream>>>(n, b, a);
        HAND_RETURN(cudaGetLastError());
    }
    return cudaSuccess;
}

static __global__ void hand_heat_step(int n, const float *from, float *to)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1, i = blockIdx.z + 1;
    if (i >= n - 1 || j >= n - 1 || k >= n - 1) return;
    const size_t plane = (size_t)n * n, at = i * plane + (size_t)j * n + k;
    to[at] = 0.4f * from[at] + 0.1f * (from[at - plane] + from[at + plane] + from[at - n] + from[at + n] + from[at - 1] + from[at + 1]);
}

extern "C" cudaError_t hand_heat(int steps, int n, float *a, float *b, cudaStream_t stream)
{
    const dim3 block(32, 8), grid((n + 31) / 32, (n + 7) / 8, n);
    for (int step = 0; step < steps; step++) {
        hand_heat_step<<<grid, block, 0, stream>>>(n, a, b);
        HAND_RETURN(cudaGetLastError());
        hand_heat_step<<<grid, block, 0, stream>>>(n, b, a);
        HAND_RETURN(cudaGetLastError());
    }
    return cudaSuccess;
}
