// Clusters of blocks: what is right, and defects by name. A `// defect:` comment marks the line that a message must name.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
namespace cg = cooperative_groups;
constexpr int B = 64, N = 1024;

// Every block adds up its part of a row, and all blocks of the cluster get the sum of the row, `times` times.
__global__ void sums(const int *x, int *o, int times) {
  __shared__ int first, own[2];
  extern __shared__ int values[];
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0 && cluster.block_rank() % 2) first = 0;  // blocks meet their variables in different orders
  for (int t = 0; t < times; t++) {
    values[threadIdx.x] = x[blockIdx.x * B + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
      int sum = 0;
      for (int i = 0; i < B; i++) sum += values[i];
      own[t % 2] = sum;
    }
    cluster.sync();
    int sum = 0;
    for (unsigned b = 0; b < cluster.num_blocks(); b++) sum += *cluster.map_shared_rank(&own[t % 2], b);
    sum += *cluster.map_shared_rank(values + 1, (cluster.block_rank() + 1) % cluster.num_blocks());
    if (cluster.thread_rank() == cluster.num_threads() - 1) o[blockIdx.x / cluster.num_blocks()] = sum;
    cluster.sync();
  }
}
__global__ void without_sync(int *o) {
  __shared__ int own;
  if (threadIdx.x == 0) own = blockIdx.x;
  __syncthreads();
  o[blockIdx.x] = *cg::this_cluster().map_shared_rank(&own, 1 - cg::this_cluster().block_rank());  // defect: data race|uninitialised|have ended
}
__global__ void ends_too_early(int *o) {
  __shared__ int own;
  if (threadIdx.x == 0) own = blockIdx.x;
  cg::this_cluster().sync();
  if (cg::this_cluster().block_rank() == 0) {
    for (int i = 0; i < 30000; i++) o[threadIdx.x] = i;
    o[threadIdx.x] = *cg::this_cluster().map_shared_rank(&own, 1);  // defect: threads of that block have ended
  }
}
__global__ void may_end_too_early(int *o) {
  __shared__ int own;
  if (threadIdx.x == 0) own = blockIdx.x;
  cg::this_cluster().sync();
  const int other = *cg::this_cluster().map_shared_rank(&own, 1 - cg::this_cluster().block_rank());  // defect: threads of that block have ended
  __syncthreads();
  o[blockIdx.x * B + threadIdx.x] = other;
}
__global__ void used_again(int *o) {
  __shared__ int own;
  for (int t = 0; t < 3; t++) {
    if (threadIdx.x == 0) own = t;  // defect: data race
    cg::this_cluster().sync();
    o[blockIdx.x * B + threadIdx.x] = *cg::this_cluster().map_shared_rank(&own, 1 - cg::this_cluster().block_rank());
  }
  cg::this_cluster().sync();
}
__global__ void other_cluster(int *part, int *o) {
  part[blockIdx.x * B + threadIdx.x] = 1;
  cg::this_cluster().sync();
  o[blockIdx.x * B + threadIdx.x] = part[(blockIdx.x * B + threadIdx.x + 2 * B) % (4 * B)];  // defect: data race|uninitialised
}
__global__ void returned(int *o) {
  if (threadIdx.x == 3) return;
  o[blockIdx.x * B + threadIdx.x] = 1;
  cg::this_cluster().sync();  // defect: divergence
}
__global__ void no_such_block(int *o) {
  __shared__ int own;
  if (threadIdx.x == 0) own = 0;
  o[0] = *cg::this_cluster().map_shared_rank(&own, 2);  // defect: does not have
}
__global__ void no_shared_memory(int *o) {
  o[0] = *cg::this_cluster().map_shared_rank(o, 0);  // defect: no shared memory
}

__global__ void between(int *o) {
  __cluster_barrier_arrive();
  o[blockIdx.x * B + threadIdx.x] = 1;  // defect: between arriving
  __cluster_barrier_wait();
}
__global__ void not_arrived(int *o) {
  __cluster_barrier_wait();  // defect: has not arrived
}
__global__ void arrived_twice(int *o) {
  __cluster_barrier_arrive();
  __cluster_barrier_arrive();  // defect: arrives
  __cluster_barrier_wait();
}

static const char *chosen;
static bool is(const char *name) { return !strcmp(chosen, name); }
template <class... P, class... A> static cudaError_t start(void (*kernel)(P...), int blocks, int cluster, int bytes, A... given) {
  cudaLaunchAttribute together = {};
  together.id = cudaLaunchAttributeClusterDimension;
  together.val.clusterDim.x = cluster;
  together.val.clusterDim.y = together.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(B);
  config.dynamicSmemBytes = bytes;
  config.attrs = &together;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, kernel, given...);
}

int main(int argc, char **argv) {
  chosen = argv[1];
  static int h[N];
  int *x, *o;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&o, sizeof h);
  for (int i = 0; i < N; i++) h[i] = i;
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  if (is("correct")) {
    for (int cluster = 1; cluster <= 8; cluster *= 2) {
      start(sums, 16, cluster, B * sizeof(int), x, o, 3);
      cudaMemcpy(h, o, sizeof(int) * 16 / cluster, cudaMemcpyDeviceToHost);
      for (int c = 0; c < 16 / cluster; c++) {
        const int first = c * cluster * B, end = first + cluster * B;
        if (h[c] != (first + end - 1) * (end - first) / 2 + first + 1) printf("wrong: cluster %d of %d blocks: %d\n", c, cluster, h[c]);
      }
    }
  }
  if (is("without_sync")) start(without_sync, 2, 2, 0, o);
  if (is("ends_too_early")) start(ends_too_early, 2, 2, 0, o);
  if (is("may_end_too_early")) start(may_end_too_early, 2, 2, 0, o);
  if (is("used_again")) start(used_again, 2, 2, 0, o);
  if (is("other_cluster")) start(other_cluster, 4, 2, 0, x + N / 2, o);
  if (is("returned")) start(returned, 2, 2, 0, o);
  if (is("no_such_block")) start(no_such_block, 2, 2, 0, o);
  if (is("no_shared_memory")) start(no_shared_memory, 2, 2, 0, o);
  if (is("between")) start(between, 2, 2, 0, o);
  if (is("not_arrived")) start(not_arrived, 2, 2, 0, o);
  if (is("arrived_twice")) start(arrived_twice, 2, 2, 0, o);
  if (is("no_stream")) {
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = dim3(1);
    config.stream = (cudaStream_t)h;
    int clusters;
    cudaOccupancyMaxActiveClusters(&clusters, sums, &config);
  }
  if (is("part_of_a_cluster")) start(sums, 3, 2, B * sizeof(int), x, o, 1);
  if (is("too_large")) start(sums, 16, 16, B * sizeof(int), x, o, 1);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(o);
  return cudacpu_error_count();
}
