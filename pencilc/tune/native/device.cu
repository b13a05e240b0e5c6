// What a measurement needs of the device: memory, a stream with two events, a kernel that keeps the stream busy, one
// that pushes everything out of the second-level cache, and graphs.  Every function returns its cudaError_t.
#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct measure_info {
    char name[256];
    int major, minor, multiprocessors, l2_bytes, clock_khz, driver, runtime;
    unsigned long long memory_bytes;
};

struct measure_state {
    cudaStream_t stream;
    cudaEvent_t begin, end;
    int multiprocessors;
    size_t flush_bytes;
    void *flush;
    unsigned *sink;  // nobody reads it, but no compiler may know
};

#define MEASURE_RETURN(call) do { const cudaError_t error_ = (call); if (error_ != cudaSuccess) return error_; } while (0)

static __global__ void measure_empty_kernel() {}

// Keeps the stream busy while the host queues what is to be timed.
static __global__ void measure_spin_kernel(long long cycles, unsigned *sink)
{
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
    if (cycles < 0) *sink = 1;
}

// Reads `count` words of 16 bytes, eight loads in flight for each thread: the read-only streaming ceiling.
static __global__ void __launch_bounds__(512) measure_read_kernel(const uint4 *__restrict__ words, long long count, unsigned *sink)
{
    const long long step = (long long)gridDim.x * blockDim.x;
    long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mixed = 0;
    for (; at + 7 * step < count; at += 8 * step) {
        uint4 loaded[8];
        #pragma unroll
        for (int k = 0; k < 8; k++) loaded[k] = words[at + k * step];
        #pragma unroll
        for (int k = 0; k < 8; k++) mixed ^= loaded[k].x ^ loaded[k].y ^ loaded[k].z ^ loaded[k].w;
    }
    for (; at < count; at += step) mixed ^= words[at].x ^ words[at].y ^ words[at].z ^ words[at].w;
    if (mixed == 0x5eed1e55u) *sink = mixed;  // hardly ever true, which nobody can prove
}

extern "C" cudaError_t measure_empty(measure_state *state)
{
    measure_empty_kernel<<<1, 32, 0, state->stream>>>();
    return cudaGetLastError();
}

extern "C" cudaError_t measure_read(measure_state *state, const void *from, size_t bytes)
{
    const long long words = (long long)(bytes / 16);
    long long blocks = (words + 512 * 8 - 1) / (512 * 8);
    const long long most = 4ll * state->multiprocessors;
    blocks = blocks < 1 ? 1 : blocks > most ? most : blocks;
    measure_read_kernel<<<(unsigned)blocks, 512, 0, state->stream>>>((const uint4 *)from, words, state->sink);
    return cudaGetLastError();
}

extern "C" cudaError_t measure_info_of(measure_info *info)
{
    int device;
    MEASURE_RETURN(cudaGetDevice(&device));
    cudaDeviceProp properties;
    MEASURE_RETURN(cudaGetDeviceProperties(&properties, device));
    memcpy(info->name, properties.name, sizeof(info->name));
    info->memory_bytes = properties.totalGlobalMem;
    MEASURE_RETURN(cudaDeviceGetAttribute(&info->major, cudaDevAttrComputeCapabilityMajor, device));
    MEASURE_RETURN(cudaDeviceGetAttribute(&info->minor, cudaDevAttrComputeCapabilityMinor, device));
    MEASURE_RETURN(cudaDeviceGetAttribute(&info->multiprocessors, cudaDevAttrMultiProcessorCount, device));
    MEASURE_RETURN(cudaDeviceGetAttribute(&info->l2_bytes, cudaDevAttrL2CacheSize, device));
    MEASURE_RETURN(cudaDeviceGetAttribute(&info->clock_khz, cudaDevAttrClockRate, device));
    MEASURE_RETURN(cudaDriverGetVersion(&info->driver));
    return cudaRuntimeGetVersion(&info->runtime);
}

extern "C" cudaError_t measure_open(measure_state **opened, size_t flush_bytes)
{
    measure_info info;
    MEASURE_RETURN(measure_info_of(&info));
    measure_state *const state = (measure_state *)calloc(1, sizeof(measure_state));
    if (state == nullptr) return cudaErrorMemoryAllocation;
    *opened = state;
    state->multiprocessors = info.multiprocessors;
    state->flush_bytes = flush_bytes;
    MEASURE_RETURN(cudaStreamCreateWithFlags(&state->stream, cudaStreamNonBlocking));
    MEASURE_RETURN(cudaEventCreate(&state->begin));
    MEASURE_RETURN(cudaEventCreate(&state->end));
    MEASURE_RETURN(cudaMalloc((void **)&state->sink, sizeof(unsigned)));
    if (flush_bytes == 0) return cudaSuccess;
    MEASURE_RETURN(cudaMalloc(&state->flush, flush_bytes));
    return cudaMemset(state->flush, 1, flush_bytes);
}

extern "C" cudaError_t measure_close(measure_state *state)
{
    MEASURE_RETURN(cudaStreamSynchronize(state->stream));
    MEASURE_RETURN(cudaFree(state->flush));
    MEASURE_RETURN(cudaFree(state->sink));
    MEASURE_RETURN(cudaEventDestroy(state->begin));
    MEASURE_RETURN(cudaEventDestroy(state->end));
    MEASURE_RETURN(cudaStreamDestroy(state->stream));
    free(state);
    return cudaSuccess;
}

extern "C" void *measure_stream(measure_state *state) { return (void *)state->stream; }

// Pushes the inputs out of the second-level cache by reading something else (lines that are read stay clean, so that
// no write-back falls into the sample), then keeps the stream busy.
extern "C" cudaError_t measure_prepare(measure_state *state, long long spin_cycles)
{
    if (state->flush_bytes > 0) MEASURE_RETURN(measure_read(state, state->flush, state->flush_bytes));
    if (spin_cycles > 0) measure_spin_kernel<<<1, 1, 0, state->stream>>>(spin_cycles, state->sink);
    return cudaGetLastError();
}

extern "C" cudaError_t measure_begin(measure_state *state) { return cudaEventRecord(state->begin, state->stream); }
extern "C" cudaError_t measure_end(measure_state *state) { return cudaEventRecord(state->end, state->stream); }

// Whether the stream has not come to the first event yet: then all that is timed was queued in time.
extern "C" cudaError_t measure_is_queued(measure_state *state, int *queued)
{
    const cudaError_t found = cudaEventQuery(state->begin);
    *queued = found == cudaErrorNotReady;
    return *queued ? cudaSuccess : found;
}

extern "C" cudaError_t measure_finish(measure_state *state, float *milliseconds)
{
    MEASURE_RETURN(cudaEventSynchronize(state->end));
    return cudaEventElapsedTime(milliseconds, state->begin, state->end);
}

extern "C" cudaError_t measure_synchronize(measure_state *state) { return cudaStreamSynchronize(state->stream); }

// ---- memory

extern "C" cudaError_t measure_malloc(void **pointer, size_t bytes) { return cudaMalloc(pointer, bytes); }
extern "C" cudaError_t measure_free(void *pointer) { return cudaFree(pointer); }

extern "C" cudaError_t measure_set(measure_state *state, void *pointer, int value, size_t bytes)
{
    return cudaMemsetAsync(pointer, value, bytes, state->stream);
}

extern "C" cudaError_t measure_copy(measure_state *state, void *to, const void *from, size_t bytes)
{
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, state->stream);
}

extern "C" cudaError_t measure_upload(measure_state *state, void *to, const void *from, size_t bytes)
{
    MEASURE_RETURN(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, state->stream));
    return cudaStreamSynchronize(state->stream);
}

extern "C" cudaError_t measure_download(measure_state *state, void *to, const void *from, size_t bytes)
{
    MEASURE_RETURN(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, state->stream));
    return cudaStreamSynchronize(state->stream);
}

extern "C" const char *measure_error(int error) { return cudaGetErrorString((cudaError_t)error); }

// ---- graphs

extern "C" cudaError_t measure_capture(measure_state *state)
{
    return cudaStreamBeginCapture(state->stream, cudaStreamCaptureModeThreadLocal);
}

extern "C" cudaError_t measure_captured(measure_state *state, void **made)
{
    cudaGraph_t graph;
    MEASURE_RETURN(cudaStreamEndCapture(state->stream, &graph));
    const cudaError_t error = cudaGraphInstantiateWithFlags((cudaGraphExec_t *)made, graph, 0);
    MEASURE_RETURN(cudaGraphDestroy(graph));
    return error;
}

extern "C" cudaError_t measure_replay(measure_state *state, void *graph)
{
    return cudaGraphLaunch((cudaGraphExec_t)graph, state->stream);
}

extern "C" cudaError_t measure_forget(void *graph) { return cudaGraphExecDestroy((cudaGraphExec_t)graph); }
