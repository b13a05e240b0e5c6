// The runtime's own structures. One CUDA thread is a Thread; it runs on a Fiber, a stack of its own, once it has started.
//
// Note [One at a time]: a single lock serialises everything, and of the threads of a launch only one runs at any
// moment. What a GPU would be free to do at once is not executed so but found by the detector (check mode), which
// follows what is ordered.
//
// Note [Late execution]: an operation on a stream is queued, and runs when something waits for it: a synchronisation, a
// copy that is not asynchronous, the end of the program. Who forgets to wait thus reads old data. Of what is queued, a
// synchronisation runs only what it has to wait for.
#pragma once
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>
#include "../include/cuda_runtime.h"

#ifdef CUDACPU_CHECK
constexpr bool CHECKING = true;
#else
constexpr bool CHECKING = false;
#endif

namespace cc {

// ---- settings ----------------------------------------------------------------------------------
enum class Order { forward, reverse, random };
struct Settings {
  Order order = Order::forward;
  uint64_t seed = 1;
  double timeout_seconds = 120;
  int sm_count = 4, blocks_per_sm = 32, threads_per_sm = 2048;
  int shared_bytes = 227 << 10;  // of a block that asks for more than 48 KiB
  size_t stack_bytes = 256 << 10;
  unsigned long long most_launches = 1ull << 62;  // of a process
};
const Settings &settings();

// ---- happens-before between operations (order between launches, copies, allocations) -------------
using Clock = std::vector<uint64_t>;  // by timeline: how many of its operations are known to have completed
void join(Clock &into, const Clock &other);
struct Operation {  // a launch or a copy: the seq-th of its timeline
  uint32_t timeline;
  uint64_t seq;
  const char *name;
  const void *kernel;
  dim3 grid, block;
};
struct CurrentOperation { uint32_t id; Clock known; };
extern CurrentOperation current_operation;
extern std::vector<Operation> operations;
bool operation_completed_before(uint32_t id);  // before the current one, by stream order, events and synchronisation
uint32_t new_timeline();

// ---- happens-before inside a launch ---------------------------------------------------------------
struct ReleaseLog;
struct AcquiredPrefix { std::shared_ptr<ReleaseLog> log; uint32_t length; CcScope scope; };
using Acquired = std::shared_ptr<const std::vector<AcquiredPrefix>>;
using WarpClock = std::array<uint32_t, 32>;
struct Release {  // what a thread knew when it fenced: its own accesses, its block's, its warp's, what it had acquired
  uint32_t block, thread, clock, floor;
  CcScope scope;
  std::shared_ptr<const WarpClock> warp;
  Acquired acquired;
};
using Logs = std::unordered_map<size_t, std::shared_ptr<ReleaseLog>>;  // by location
using Fences = std::shared_ptr<const std::vector<Release>>;
struct ThreadOrder {
  uint32_t clock = 1;      // grows at every barrier, warp synchronisation and fence
  WarpClock warp{};        // accesses of lane l with a clock below warp[l] happened before
  Acquired seen;           // releases seen through atomics, but not fenced yet
  Acquired acquired;       // releases seen, and a fence behind
  std::shared_ptr<const Release> fence, block_fence;  // this thread's last one, and the last for its block if that is later
  Fences fences_of_block;  // those of all its threads, as of the last barrier
};

// ---- threads, blocks ----------------------------------------------------------------------------------
struct Fiber { void *sp; char *low, *high; };
enum class State : uint8_t { unstarted, ready, at_barrier, at_wide_barrier, at_warp, polling, done };  // wide: of several blocks
struct WarpCall { int op; unsigned mask; uint64_t value, result; int argument, width; };
struct AsyncCopy {  // `bytes` and then `zeros` zeros; it lands when the thread waits for `group`
  char *to;
  const char *from;
  uint8_t bytes, zeros;
  uint32_t group;
  const void *pc;
};
struct Block;
struct Thread : CcThread {
  Block *block;
  Fiber *fiber;
  State state;
  uint32_t index, lane;         // linear index in the block, and in the warp
  const char *file;             // where it waits
  int line;
  bool has_arrived;             // at the barrier of its cluster, where it does not wait yet
  WarpCall call;
  unsigned accesses;            // watched accesses since it last let others run
  const void *polled;           // what its last atomic load was of, and what stood there
  unsigned polled_bytes;
  uint64_t polled_value;
  const void *last_pc;
  ThreadOrder order;
  std::vector<AsyncCopy> copies;  // under way, in the order of their issue
  uint32_t committed;             // groups of copies
};
struct SharedVariable { const void *key; char *address; size_t bytes, align; const char *name; };
struct Barrier { unsigned arrived; int kind, accumulated, result; const char *file; int line; };
struct Block {
  uint3 id;
  uint32_t linear, count, live;
  uint32_t serial;              // of all blocks that have been started, its number
  Thread *threads;
  Barrier barrier;
  unsigned waiting[32];         // per warp: lanes that wait in a warp operation
  unsigned gathering[32];       // per warp: lanes that wait to learn who is active beside them
  uint32_t floor;               // accesses of this block with a clock below this one happened before all its threads
  uint32_t cluster_floor;       // the same of the blocks of its cluster
  bool fenced;                  // some thread fenced since the last barrier
  Logs logs;                    // of atomics on shared memory
  char *arena;                  // shared memory
  size_t used, static_bytes;
  std::vector<SharedVariable> shared;
  uint32_t reached;             // the clock with which another block of the cluster reached for that last, and where
  const void *reached_at;
};
struct Launch {
  CcLaunch what;
  CcArguments arguments;
  uint32_t block_threads;
  uint64_t block_count;
  bool failed;
  uint32_t grid_floor;          // as Block::floor, for the whole grid
  uint32_t cluster;             // blocks that are resident together and reach into each other's shared memory
};
extern Launch *running;
inline Thread *current() { return (Thread *)cc_current; }

// context.cpp
extern "C" void cc_swap(void **save, void *load);
Fiber *take_fiber();
void give_fiber(Fiber *fiber);
void prepare_fiber(Fiber *fiber, unsigned colour, void (*entry)());
bool in_other_fiber(const char *p, const Fiber *own);
bool in_guard(const char *p, const Fiber *own);
// scheduler.cpp
extern std::vector<Block *> resident;
void run_kernel(Launch &launch);
void make_ready(Thread *const *threads, size_t count);
void wait_for_others(Thread *t);
[[noreturn]] void leave_kernel();
uint64_t random_number();
// warp.cpp and barrier.cpp
extern uint64_t wide_arrived;  // threads that wait at the barrier of the grid, or of the cluster
void complete_warp_operation(Block *block, unsigned warp);
void barrier_sees_exit(Thread *t);
// copies.cpp
const AsyncCopy *copy_under_way(const Block *block, const char *p);
// order.cpp
void order_start_block(Block *block);
void order_barrier(Block *block);
void order_grid_barrier();
void order_cluster_barrier();
void order_warp_sync(Thread *const *lanes, unsigned participants);
void order_fence(Thread *t, CcScope scope);
void order_atomic(Thread *t, const void *p, bool acquire, bool release, bool store);
void order_atomic_itself(Thread *t, const void *p, bool acquire, bool release, CcScope scope);
void order_start_launch();
bool order_known(const Thread *t, uint32_t block, uint32_t thread, uint32_t clock);
// report.cpp
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));  // prints and counts; does not fail anything
void fail(cudaError_t error, const char *format, ...) __attribute__((format(printf, 2, 3)));  // and ends the kernel
std::string thread_text(const Thread *t);
std::string thread_text(const Operation &op, uint32_t block, uint32_t thread);
std::string source_of(const void *pc);
std::string place(const char *file, int line);
std::string function_name(const void *function);
std::string kernel_name(const CcLaunch &launch);
char *own_image();
// memory.cpp
constexpr size_t RED_ZONE = 256, ARENA_BYTES = 240 << 10;
constexpr size_t REGION_BYTES = CHECKING ? 16ull << 30 : 64ull << 30;
extern char *region;
struct Allocation {
  char *address;
  size_t bytes;
  int number;
  bool freed, host_visible, graph_owned, promised, leak_reported;  // promised: the allocation is queued
  std::string label;   // what the program calls it; `argument`: the array of a caller, not the program's own memory
  bool argument;
};
void open_region();
char *carve(size_t bytes);
bool in_region(const void *p);
std::vector<Allocation *> live_allocations();
Allocation *find_allocation(const void *p, size_t slack);
struct Variable { char *address; size_t bytes; const char *name; bool constant; size_t mirror; };
const Variable *find_variable(const void *p, size_t slack);
bool is_host_memory(const void *p);
std::string describe(const char *p);
void allocate_now(Allocation *a, bool mark);
void free_now(Allocation *a, bool mark);
cudaError_t copy_now(char *to, const char *from, size_t bytes, cudaMemcpyKind kind, const char *what);
cudaError_t fill_now(char *p, int value, size_t bytes);
Allocation *reserve(size_t bytes);
// shadow.cpp
enum AccessKind : unsigned { READ = 0, WRITE = 1, ATOMIC = 2, BLOCK_ATOMIC = 4, UPDATE = 8, OBJECT = 16, AGAIN = 32, COPY = 64 };
// An update reads too; of an object the type says the alignment; what an asynchronous copy does again is counted once.
void shadow_open();
void shadow_allocate(size_t offset, size_t bytes, bool written);
void shadow_release(size_t offset, size_t bytes);
void shadow_forget(size_t offset, size_t bytes);
void shadow_written(size_t offset, size_t bytes);
bool shadow_any_unwritten(size_t offset, size_t bytes);
bool shadow_any_written(size_t offset, size_t bytes);
void shadow_copy_written(size_t to, size_t from, size_t bytes);
void shadow_operation_touches(size_t offset, size_t bytes, bool write);
void watch(char *p, size_t bytes, unsigned kind, const void *pc);
void cluster_sees_end(const Block *block);
// host.cpp
void watch_host(const char *p, size_t bytes, bool write, const void *pc);
void host_atomic(const volatile void *p);
int report_leaks();
void host_yield();
// traffic.cpp
extern bool traffic_on;
void traffic_launch(const CcLaunch &launch, const CcArguments &arguments);
void traffic_copy(const char *kind, size_t bytes);
void traffic_touch(const Thread *t, const char *p, size_t bytes, unsigned kind, const void *pc);
const std::string &traffic_kernel();
// requests.cpp
void requests_meet(const Block *block, unsigned warp, uint32_t lanes);
void requests_meet(const Block *block);  // all threads of the block do
void requests_end(const Block *block);
void requests_forget();                  // of a launch that has failed
void requests_restart();
void requests_touch(const Thread *t, const char *p, size_t bytes, unsigned kind, const void *pc, const std::string &kernel, const std::string *array);  // null: shared memory
void count_instruction(const char *kind, uint64_t count);
std::string requests_text();
// record.cpp
extern bool recording;
void record_launch(const CcLaunch &launch);
// device.cpp
extern std::recursive_mutex global_lock;
struct Locked { std::lock_guard<std::recursive_mutex> guard{global_lock}; };
cudaError_t sticky_error();
void set_sticky(cudaError_t error);
cudaError_t fault(cudaError_t error);  // note a non-sticky error for cudaGetLastError, and return it
extern int error_count;
extern unsigned long long launch_count;
int dynamic_shared_limit(const void *kernel);
constexpr unsigned PORTABLE_CLUSTER = 8;  // blocks of a cluster that every device with clusters has place for
// streams.cpp and graphs.cpp
struct Stream;
struct Capture;
using Work = void (*)(void *);
struct HostUse {  // host memory that a copy reads or writes: rows of `bytes`, `pitch` apart
  const char *p;
  size_t bytes, pitch, rows;
  bool written;
  bool meets(const char *q, size_t n) const;
};
struct Task {  // one thing to do on a stream, kept by value so that a graph can replay it
  std::shared_ptr<void> data;
  cudaError_t (*run)(void *data);
  const char *name;
  const CcLaunch *launch;  // null unless a kernel
  std::vector<HostUse> host;
};
bool is_stream(cudaStream_t stream);
cudaError_t submit(cudaStream_t stream, Task task);
cudaError_t submit_and_wait(Task task);
template <class F> Task make_task(const char *name, F body) {
  auto kept = std::make_shared<F>(std::move(body));
  return Task{kept, [](void *data) { return (*(F *)data)(); }, name, nullptr, {}};
}
cudaError_t refuse_while_capturing();
// queue.cpp
void enqueue(uint32_t timeline, Clock &known, const Task &task);
cudaError_t run_queued(const Clock &target);  // what the target knows of
cudaError_t run_one_queued(const Clock &target);
bool queued(const Clock &target);
cudaError_t run_all_queued();
void drop_queued();
void watch_exit();
void check_host_use(const char *p, size_t bytes, bool write, const char *does, const void *pc);
}  // namespace cc
