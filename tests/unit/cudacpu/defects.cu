// One seeded defect per `case`, chosen by argv[1]; `correct_*` must raise no alarm. The marker `// defect: WORD` stands
// on the line that the message must name, with a word that the message must contain. The exit status is the error count.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <pthread.h>
#include <atomic>
#include <thread>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
namespace cg = cooperative_groups;
constexpr int N = 1000, B = 128;
__device__ unsigned ticket;
__device__ int total;
__device__ int table[4];
__constant__ int weights[4] = {1, 2, 3, 4};
__device__ int lock_word;

__global__ void missing_sync(const int *x, int *o) {
  __shared__ int s[B];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x == 0) { int a = 0; for (int i = 0; i < B; i++) a += s[i]; *o = a; }  // defect: uninitialised|race
}
__global__ void missing_sync_in_tree(const int *x, int *o) {
  __shared__ int s[B];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int d = B / 2; d > 0; d >>= 1) if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];  // defect: race
  if (threadIdx.x == 0) *o = s[0];
}
__global__ void overwritten_too_early(const int *x, int *o) {
  __shared__ int s[B];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  int a = s[B - 1 - threadIdx.x];
  s[threadIdx.x] = a;  // defect: race
  __syncthreads();
  if (threadIdx.x == 0) *o = s[0];
}
__global__ void threads_share_output(const int *x, int *o) {
  *o += x[threadIdx.x];  // defect: race
}
__global__ void blocks_share_output(const int *x, int *o) {
  if (threadIdx.x == 0) *o += x[blockIdx.x];  // defect: race
}
__global__ void device_variable_race(const int *x, int *o) {
  if (threadIdx.x == 0) total += x[blockIdx.x];  // defect: __device__ total
}
__global__ void volatile_warp_steps(const int *x, int *o) {
  __shared__ volatile int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32)
    for (int d = 32; d > 0; d >>= 1) s[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + d - (threadIdx.x >= d ? d : 0)];  // defect: race
}
__global__ void bytes_race(char *bytes) {
  bytes[threadIdx.x / 2] = (char)threadIdx.x;  // defect: race
}
__global__ void claimed_by_plain_write() {
  __shared__ int owner;
  if (threadIdx.x == 0) owner = 0;
  __syncthreads();
  for (int k = 0; k < 2; k++)
    if (__nv_atomic_load_n(&owner, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK) == 0) owner = 1;  // defect: race
}
enum Fence { NONE, BLOCK, DEVICE };
template <Fence F> __device__ void fence() {
  if (F == BLOCK) __threadfence_block();
  if (F == DEVICE) __threadfence();
}
template <Fence RELEASE, Fence ACQUIRE> __global__ void last_block(const int *x, int *part, int *o) {
  __shared__ bool last;
  __shared__ int s[B / 32];
  int a = 0;
  for (int i = blockIdx.x * B + threadIdx.x; i < N; i += gridDim.x * B) a += x[i];
  for (int d = 16; d; d >>= 1) a += __shfl_down_sync(~0u, a, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = a;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < B / 32; w++) a += s[w];
    part[blockIdx.x] = a;
    fence<RELEASE>();
    last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
    fence<ACQUIRE>();
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; b++) sum += part[b];  // defect: race
    *o = sum;
  }
}
// The order is the ticket's own, and the last block puts it back.
template <int ORDER, int SCOPE> __global__ void ordered_ticket(const int *x, int *part, int *o) {
  __shared__ bool last;
  part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) last = __nv_atomic_fetch_add(&ticket, 1u, ORDER, SCOPE) == gridDim.x - 1;
  __syncthreads();
  int sum = 0;
  for (unsigned b = 0; last && b < gridDim.x; b++) sum += part[b * B + threadIdx.x];  // defect: race
  if (last && threadIdx.x == B - 1) *o = sum;
  if (last && threadIdx.x == 0) ticket = 0;
}
// Every thread leaves a partial result; the fence comes after a barrier, and so does the reading.
template <Fence RELEASE, Fence ACQUIRE> __global__ void column_blocks(const int *x, int *part, int *o) {
  __shared__ bool last;
  part[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    fence<RELEASE>();
    last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
    fence<ACQUIRE>();
  }
  __syncthreads();
  int sum = 0;
  for (unsigned b = 0; last && b < gridDim.x; b++) sum += part[b * B + threadIdx.x];  // defect: race
  if (last && threadIdx.x == B - 1) *o = sum;
}
template <Fence RELEASE, Fence ACQUIRE> __global__ void user_lock(int *counter) {
  for (int lane = 0; lane < 32; lane++)
    if (threadIdx.x % 32 == lane) {
      while (atomicCAS(&lock_word, 0, 1) != 0) {}
      fence<ACQUIRE>();
      *counter += 1;  // defect: race
      fence<RELEASE>();
      atomicExch(&lock_word, 0);
    }
}
// The fences stand on the far side of the barriers.
__global__ void fences_apart(const int *x, int *part, int *o) {
  __shared__ bool last;
  part[blockIdx.x * B + threadIdx.x] = x[threadIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  __threadfence();
  if (last && threadIdx.x == 1) { int sum = 0; for (unsigned b = 0; b < gridDim.x; b++) sum += part[b * B + threadIdx.x]; *o = sum; }
}
__global__ void past_the_end(const int *x, int *o) {
  int a = 0;
  for (int i = threadIdx.x; i <= N; i += B) a += x[i];  // defect: out of bounds
  atomicAdd(o, a);
}
__global__ void past_shared(const int *x, int *o) {
  __shared__ int s[B];
  s[threadIdx.x + 1] = x[threadIdx.x];  // defect: out of bounds
}
__global__ void past_dynamic_shared(const int *x, int *o) {
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x] = x[threadIdx.x];  // defect: out of bounds
}
__global__ void past_variable(int k) {
  int *p = table;
  p[k] = 1;  // defect: out of bounds
}
__global__ void constant_write() {
  int *p = (int *)weights;
  p[1] = 1;  // defect: __constant__ weights
}
__global__ void reads(const int *x, int *o) {
  atomicAdd(o, x[threadIdx.x]);  // defect: freed|host memory
}
__global__ void uninitialised_global(int *part, int *o) {
  atomicAdd(o, part[threadIdx.x]);  // defect: uninitialised
}
__global__ void uninitialised_shared(int *o) {
  __shared__ int s[B];
  if (threadIdx.x < B - 1) s[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) { int a = 0; for (int i = 0; i < B; i++) a += s[i]; *o = a; }  // defect: uninitialised
}
__global__ void misaligned(const int *x, int *o) {
  int4 v = *(const int4 *)(x + 1);  // defect: misaligned
  *o = v.x + v.w;
}
__global__ void divergent_barrier(int *o) {
  if (threadIdx.x < 100) __syncthreads();  // defect: divergence
  if (threadIdx.x == 0) *o = 1;
}
__global__ void early_return(int *o) {
  if (threadIdx.x >= 100) return;
  __syncthreads();  // defect: divergence
}
__global__ void two_barriers(int *o) {
  if (threadIdx.x < 64) {
    __syncthreads();
  } else {
    __syncthreads();  // defect: divergence
  }
}
__global__ void missing_lanes(int *o) {
  int a = 1;
  if (threadIdx.x < 16) a += __shfl_down_sync(~0u, a, 8);  // defect: divergence
  __syncthreads();
}
__global__ void inactive_lane(int *o) {
  int a = threadIdx.x;
  if (threadIdx.x < 16) a += __shfl_down_sync(0xffffu, a, 8);  // defect: inactive lane
  if (threadIdx.x == 0) *o = a;
}
__global__ void not_in_mask(int *o) {
  int a = __shfl_sync(0xffffu, 1, 0);  // defect: mask
  if (threadIdx.x == 0) *o = a;
}
__global__ void two_warp_operations(int *o) {
  if (threadIdx.x % 2) __syncwarp();
  else __syncwarp();  // defect: divergence
}
__global__ void block_scope(int *o) {
  atomicAdd_block(o, 1);  // defect: race
}
__global__ void mixed_scopes(int *o) {
  if (blockIdx.x) atomicAdd(o, 1); else atomicAdd_block(o, 1);  // defect: race
}
__global__ void spin(const int *flag) {
  while (*(volatile const int *)flag == 0) {}  // defect: timeout
}
__global__ void deep_stack(const int *x, int *o) {
  volatile int a[60000];
  for (int i = 0; i < 60000; i++) a[i] = i;
  *o = a[threadIdx.x];
}
__global__ void grid_sync(int *part, int *o) {
  part[blockIdx.x * B + threadIdx.x] = 1;
  cg::this_grid().sync();  // defect: cooperative
  if (blockIdx.x == 0 && threadIdx.x == 0) { int a = 0; for (int i = 0; i < (int)gridDim.x * B; i++) a += part[i]; *o = a; }
}
// The first block waits for the others, of which `wanted` never come.
__global__ void spins(int *arrived, int *o, int wanted) {
  if (blockIdx.x > 0) {
    if (threadIdx.x == 0) __nv_atomic_fetch_add(arrived, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    return;
  }
  if (threadIdx.x == 0) {
    while (__nv_atomic_load_n(arrived, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) < wanted) {}  // defect: for a value in memory
    *o = 1;
  }
}
__global__ void scratch_write(int *part, int v) {
  part[threadIdx.x] = v;  // defect: no stream|use after free
}
__global__ void other_local(int **slot, int *o) {
  int mine = threadIdx.x;
  if (threadIdx.x == 0) *slot = &mine;
  __syncthreads();
  if (threadIdx.x == 1) *o = **slot;  // defect: local variable
  __syncthreads();
  if (mine < 0) *o = 0;
}
__global__ void flag_between_warps(volatile int *flag, int *data, int *o) {
  if (threadIdx.x == 32) { data[0] = 7; __threadfence(); *flag = 1; }
  if (threadIdx.x == 0) { while (*flag == 0) {} __threadfence(); *o = data[0]; }
}
struct Padded { char c; double d; float f; };
__global__ void padded_copy(Padded *p, Padded *q) {
  p[threadIdx.x].c = 1; p[threadIdx.x].d = 2; p[threadIdx.x].f = 3;
  Padded local = p[threadIdx.x];
  q[threadIdx.x] = local;
}

static const char *chosen;
static int is(const char *name) { return strcmp(chosen, name) == 0; }
static void two_streams(int *part, int ordered) {
  cudaStream_t a, b;
  cudaEvent_t e;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
  cudaDeviceSynchronize();
  scratch_write<<<1, B, 0, a>>>(part, 1);
  if (ordered == 1) { cudaEventRecord(e, a); cudaStreamWaitEvent(b, e, 0); }
  if (ordered == 2) cudaStreamSynchronize(a);
  scratch_write<<<1, B, 0, b>>>(part, 2);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}
// An asynchronous copy to pageable memory might be synchronous, and might not.
static int copies(int *h, int *x, int what) {
  int *back = (int *)calloc(N, 4), *pinned, sum = 0;
  cudaStream_t s;
  cudaStreamCreate(&s);
  if (what == 1) {
    cudaMemcpyAsync(x, back, N * 4, cudaMemcpyHostToDevice, s);
    back[3] = 1;  // defect: is still to read
  } else if (what == 2) {
    cudaMemcpyAsync(back, x, N * 4, cudaMemcpyDeviceToHost, s);
    free(back);  // defect: frees
    return 0;
  } else if (what == 3) {
    cudaMallocHost(&pinned, N * 4);
    cudaMemcpyAsync(pinned, x, N * 4, cudaMemcpyDeviceToHost, s);
    sum += pinned[3];  // defect: is still to write
  } else {
    cudaMemcpyAsync(back, x, N * 4, cudaMemcpyDeviceToHost, s);
    if (what == 4) cudaStreamSynchronize(s);
    if (what == 5) { cudaEvent_t e; cudaEventCreate(&e); cudaEventRecord(e, s); while (cudaEventQuery(e) == cudaErrorNotReady) {} cudaEventDestroy(e); }
    for (int i = 0; i < N; i++) sum += back[i];  // defect: is still to write
  }
  cudaStreamSynchronize(s);
  cudaStreamDestroy(s);
  free(back);
  return sum + h[0];
}
static void free_async_unordered() {
  int *p;
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaMallocAsync(&p, B * 4, a);
  scratch_write<<<1, B, 0, a>>>(p, 1);
  cudaFreeAsync(p, b);
}
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static struct { int *memory; size_t bytes; } queue_scratch;
// Memory that grows is shared by two threads, as the scratch of a stream is.
static void queue_from_two_threads(int locked, int *part) {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  auto work = [&](size_t bytes) {
    if (locked) pthread_mutex_lock(&queue_lock);
    if (queue_scratch.bytes < bytes) {  // defect: between host threads
      if (queue_scratch.memory) cudaFreeAsync(queue_scratch.memory, s);
      cudaMallocAsync(&queue_scratch.memory, bytes, s);
      queue_scratch.bytes = bytes;
    }
    scratch_write<<<1, (unsigned)bytes / 4, 0, s>>>(queue_scratch.memory, 1);
    if (locked) pthread_mutex_unlock(&queue_lock);
  };
  std::thread one(work, 256), two(work, 512);
  one.join();
  two.join();
  cudaStreamSynchronize(s);
}
static int sum_in_two_threads(int how) {
  int sum = 0, parts[2] = {0, 0};
  std::atomic<int> shared{0};
  auto add = [&](int k) { for (int i = 0; i < 10; i++) { if (how == 0) sum += i; parts[k] += i; shared += i; } };  // defect: between host threads
  std::thread one(add, 0);
  if (how == 2) one.join();
  std::thread two(add, 1);
  if (how != 2) one.join();
  two.join();
  return sum + parts[0] + parts[1] + shared;
}
int *kept;
struct Holder { int *memory; Holder *next; } *holders;
static void correct_host(int *x) {
  int *h = (int *)calloc(N, 4);
  if (copies(h, x, 4) != copies(h, x, 5)) printf("wrong copies\n");
  free(h);
  queue_from_two_threads(1, nullptr);
  if (sum_in_two_threads(1) != sum_in_two_threads(2)) printf("wrong sum in threads\n");
  cudaMalloc(&kept, 4);  // reachable, so not lost
  holders = (Holder *)calloc(1, sizeof(Holder));
  holders->next = (Holder *)calloc(1, sizeof(Holder));
  cudaMalloc(&holders->next->memory, 4);
}
static void run_defects(int *h, int *x, int *part, int *o) {
  if (is("missing_sync")) missing_sync<<<1, B>>>(x, o);
  if (is("missing_sync_in_tree")) missing_sync_in_tree<<<1, B>>>(x, o);
  if (is("overwritten_too_early")) overwritten_too_early<<<1, B>>>(x, o);
  if (is("threads_share_output")) threads_share_output<<<1, B>>>(x, o);
  if (is("blocks_share_output")) blocks_share_output<<<4, B>>>(x, o);
  if (is("device_variable_race")) device_variable_race<<<4, B>>>(x, o);
  if (is("volatile_warp_steps")) volatile_warp_steps<<<1, 64>>>(x, o);
  if (is("claimed_by_plain_write")) claimed_by_plain_write<<<1, B>>>();
  if (is("bytes_race")) bytes_race<<<1, B>>>((char *)part);
  if (is("ticket_without_fence")) last_block<NONE, DEVICE><<<5, B>>>(x, part, o);
  if (is("ticket_without_acquire")) last_block<DEVICE, NONE><<<5, B>>>(x, part, o);
  if (is("ticket_with_narrow_release")) last_block<BLOCK, DEVICE><<<5, B>>>(x, part, o);
  if (is("ticket_with_narrow_acquire")) last_block<DEVICE, BLOCK><<<5, B>>>(x, part, o);
  if (is("relaxed_ticket")) ordered_ticket<__NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE><<<5, B>>>(x, part, o);
  if (is("ticket_that_acquires")) ordered_ticket<__NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE><<<5, B>>>(x, part, o);
  if (is("ticket_that_releases")) ordered_ticket<__NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE><<<5, B>>>(x, part, o);
  if (is("lock_without_acquire")) user_lock<DEVICE, NONE><<<3, B>>>(o);
  if (is("lock_without_release")) user_lock<NONE, DEVICE><<<3, B>>>(o);
  if (is("columns_without_acquire")) column_blocks<DEVICE, NONE><<<4, B>>>(x, part, o);
  if (is("columns_without_release")) column_blocks<NONE, DEVICE><<<4, B>>>(x, part, o);
  if (is("past_the_end")) past_the_end<<<1, B>>>(x, o);
  if (is("past_shared")) past_shared<<<1, B>>>(x, o);
  if (is("past_dynamic_shared")) past_dynamic_shared<<<1, B, (B - 1) * 4>>>(x, o);
  if (is("past_variable")) past_variable<<<1, 1>>>(4);
  if (is("constant_write")) constant_write<<<1, 1>>>();
  if (is("use_after_free")) { cudaFree(x); reads<<<1, B>>>(x, o); }
  if (is("host_pointer")) reads<<<1, B>>>(h, o);
  if (is("host_reads_device")) printf("%d\n", *o);  // defect: host code
  if (is("uninitialised_global")) uninitialised_global<<<1, B>>>(part, o);
  if (is("uninitialised_shared")) uninitialised_shared<<<1, B>>>(o);
  if (is("misaligned")) misaligned<<<1, 1>>>(x, o);
  if (is("divergent_barrier")) divergent_barrier<<<1, B>>>(o);
  if (is("early_return")) early_return<<<1, B>>>(o);
  if (is("two_barriers")) two_barriers<<<1, B>>>(o);
  if (is("missing_lanes")) missing_lanes<<<1, B>>>(o);
  if (is("inactive_lane")) inactive_lane<<<1, B>>>(o);
  if (is("not_in_mask")) not_in_mask<<<1, B>>>(o);
  if (is("two_warp_operations")) two_warp_operations<<<1, 32>>>(o);
  if (is("block_scope")) block_scope<<<2, 1>>>(o);
  if (is("mixed_scopes")) mixed_scopes<<<2, 1>>>(o);
  if (is("spin")) spin<<<1, 2>>>(o);
  if (is("deep_stack")) deep_stack<<<1, B>>>(x, o);
  if (is("other_local")) { int **slot; cudaMalloc(&slot, 8); other_local<<<1, B>>>(slot, o); }
  if (is("grid_sync")) grid_sync<<<4, B>>>(part, o);
  if (is("forgotten_arrival")) {
    int wanted = 4;
    cudaMemset(o, 0, 4);
    void *values[] = {&o, &x, &wanted};
    cudaLaunchCooperativeKernel(spins, dim3(4), dim3(B), values);
  }
  if (is("no_threads")) missing_sync<<<0, B>>>(x, o);
  if (is("too_much_shared")) past_dynamic_shared<<<1, B, 60000>>>(x, o);
  if (is("copy_direction")) cudaMemcpy(x, h, 4, cudaMemcpyDeviceToHost);
  if (is("copy_too_long")) cudaMemcpy(x, h, N * 4 + 4, cudaMemcpyHostToDevice);
  if (is("copy_uninitialised")) cudaMemcpy(h, part, N * 4, cudaMemcpyDeviceToHost);
  if (is("double_free")) { cudaFree(part); cudaFree(part); }
  if (is("two_streams")) two_streams(part, 0);
  if (is("host_reads_too_early")) copies(h, x, 0);
  if (is("host_writes_too_early")) copies(h, x, 1);
  if (is("host_frees_too_early")) copies(h, x, 2);
  if (is("pinned_reads_too_early")) copies(h, x, 3);
  if (is("no_synchronisation")) cudaMemcpyAsync(h, x, N * 4, cudaMemcpyDeviceToHost);
  if (is("free_under_kernel")) { scratch_write<<<1, B>>>(part, 1); cudaFree(part); }
  if (is("free_under_copy")) { cudaMemcpyAsync(h, x, N * 4, cudaMemcpyDeviceToHost); cudaFree(x); }
  if (is("free_async_unordered")) free_async_unordered();
  if (is("free_host_under_copy")) { int *pinned; cudaMallocHost(&pinned, N * 4); cudaMemcpyAsync(pinned, x, N * 4, cudaMemcpyDeviceToHost); cudaFreeHost(pinned); }
  if (is("leak")) { cudaDeviceSynchronize(); int *lost; cudaMalloc(&lost, 1234); }
  if (is("threads_without_lock")) queue_from_two_threads(0, part);
  if (is("unlock_without_lock")) pthread_mutex_unlock(&queue_lock);
  if (is("threads_share_a_sum")) sum_in_two_threads(0);
}
static void run_correct(int *h, int *x, int *part, int *o) {
  int expected = 0;
  for (int i = 0; i < N; i++) expected += h[i];
  for (int again = 0; again < 2; again++) ordered_ticket<__NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE><<<5, B>>>(x, part, o);
  for (int again = 0; again < 2; again++) last_block<DEVICE, DEVICE><<<5, B>>>(x, part, o);
  cudaMemcpy(h, o, 4, cudaMemcpyDeviceToHost);
  if (h[0] != expected) printf("wrong sum %d, not %d\n", h[0], expected);
  column_blocks<DEVICE, DEVICE><<<4, B>>>(x, part, o);
  fences_apart<<<4, B>>>(x, part, o);
  two_streams(part, 1);
  cudaDeviceSynchronize();
  two_streams(part, 2);
  cudaDeviceSynchronize();
  cudaMemset(o, 0, 4);
  user_lock<DEVICE, DEVICE><<<3, B>>>(o);
  cudaMemcpy(h, o, 4, cudaMemcpyDeviceToHost);
  if (h[0] != 3 * B) printf("wrong count %d\n", h[0]);
  cudaMemset(part, 0, 4);
  flag_between_warps<<<1, 64>>>(part, part + 1, o);
  cudaMemcpy(h, o, 4, cudaMemcpyDeviceToHost);
  if (h[0] != 7) printf("wrong flag %d\n", h[0]);
  void *values[] = {&part, &o};
  cudaLaunchCooperativeKernel(grid_sync, dim3(4), dim3(B), values);
  cudaMemcpy(h, o, 4, cudaMemcpyDeviceToHost);
  if (h[0] != 4 * B) printf("wrong grid sum %d\n", h[0]);
  Padded *p, *q;
  cudaMalloc(&p, B * sizeof *p);
  cudaMalloc(&q, B * sizeof *q);
  padded_copy<<<1, B>>>(p, q);
  Padded back[B];
  cudaMemcpy(back, q, sizeof back, cudaMemcpyDeviceToHost);
  if (back[5].d != 2) printf("wrong copy\n");
  cudaFree(p);
  cudaFree(q);
  correct_host(x);
}
int main(int argc, char **argv) {
  chosen = argv[1];
  int *h = (int *)malloc(2 * N * sizeof(int)), *x, *part, *o;
  for (int i = 0; i < 2 * N; i++) h[i] = i % 13;
  cudaMalloc(&x, N * sizeof(int));
  cudaMalloc(&part, N * sizeof(int));
  cudaMalloc(&o, sizeof(int));
  cudaMemcpy(x, h, N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(o, 0, sizeof(int));
  if (is("correct")) run_correct(h, x, part, o);
  else run_defects(h, x, part, o);
  if (is("no_synchronisation")) return 0;
  cudaDeviceSynchronize();
  int status = cudacpu_error_count();
  cudaFree(x);
  cudaFree(part);
  cudaFree(o);
  free(h);
  return status;
}
