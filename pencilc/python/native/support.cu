// What a library for Python has beside the generated code: failures are kept for the caller instead of ending the
// process, and Python reaches the few functions of the CUDA runtime that it needs.
#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A pointer: with the CPU executor this memory of threads comes from what a process has very little of.
static thread_local char *failed_call;
static thread_local cudaError_t failed_with = cudaSuccess;

// Takes the place of the generated one, which is a weak symbol. The first failure of a call is the one that is told.
extern "C" void pencilc_fail(const char *call, cudaError_t error, const char *file, int line)
{
    if (failed_with != cudaSuccess) return;
    (void)file;
    (void)line;
    failed_with = error;
    failed_call = strdup(call);
}

// The failure of this thread since it was last asked for, cudaSuccess if there was none; what failed goes to `call`.
extern "C" int pencilc_python_failure(char *call, size_t bytes)
{
    const cudaError_t error = failed_with;
    if (error != cudaSuccess) snprintf(call, bytes, "%s", failed_call != nullptr ? failed_call : "");
    free(failed_call);
    failed_call = nullptr;
    failed_with = cudaSuccess;
    return (int)error;
}

extern "C" void pencilc_python_error(int error, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s: %s", cudaGetErrorName((cudaError_t)error), cudaGetErrorString((cudaError_t)error));
}

// Makes the device current on which `pointer` lies, if it does lie on one: `is_reached` tells. `previous` is for
// pencilc_python_leave.
extern "C" int pencilc_python_enter(const void *pointer, int *previous, int *is_reached)
{
    // Asking is no work on a stream: a capture that goes on forbids it only by precaution.
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&mode);
    cudaPointerAttributes found;
    cudaError_t error = cudaGetDevice(previous);
    if (error == cudaSuccess) error = cudaPointerGetAttributes(&found, pointer);
    if (error == cudaSuccess) {
        *is_reached = found.type == cudaMemoryTypeDevice || found.type == cudaMemoryTypeManaged;
        if (*is_reached && found.device != *previous) error = cudaSetDevice(found.device);
    }
    cudaThreadExchangeStreamCaptureMode(&mode);
    return (int)error;
}

extern "C" void pencilc_python_leave(int previous)
{
    int current;
    if (cudaGetDevice(&current) == cudaSuccess && current != previous) cudaSetDevice(previous);
}

// Work on `stream` from here on waits for what is on `other` now.
extern "C" int pencilc_python_follow(cudaStream_t stream, cudaStream_t other)
{
    cudaEvent_t event;
    cudaError_t error = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    if (error != cudaSuccess) return (int)error;
    error = cudaEventRecord(event, other);
    if (error == cudaSuccess) error = cudaStreamWaitEvent(stream, event, 0);
    cudaEventDestroy(event);
    return (int)error;
}

// Memory for one result, in stream order.
extern "C" int pencilc_python_reserve(void **result, size_t bytes, cudaStream_t stream)
{
    return (int)cudaMallocAsync(result, bytes, stream);
}

// Copies a result to the host, waits for it, and gives its memory back, which it does too where the copy fails.
extern "C" int pencilc_python_fetch(void *to, void *result, size_t bytes, cudaStream_t stream)
{
    cudaError_t error = cudaMemcpyAsync(to, result, bytes, cudaMemcpyDeviceToHost, stream);
    const cudaError_t freed = cudaFreeAsync(result, stream);
    if (error == cudaSuccess) error = freed;
    const cudaError_t waited = cudaStreamSynchronize(stream);
    return (int)(error == cudaSuccess ? waited : error);
}
