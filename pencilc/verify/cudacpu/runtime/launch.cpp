// From a launch to its execution: validation, the watchdog, and faults of the machine turned into CUDA errors.
#include "internal.h"
#include <atomic>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

namespace cc {
static std::atomic<double> deadline{0};  // 0 while no kernel runs
static std::atomic<Thread *> watched{nullptr};

static double seconds() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// A kernel that never ends cannot be undone from outside, so the process ends, with the status that timeout(1) uses.
static void *watchdog(void *) {
  for (;;) {
    usleep(20000);
    double limit = deadline.load();
    if (limit == 0 || seconds() < limit) continue;
    std::string text = "kernel " + kernel_name(running->what) + ": timeout: still running after " + std::to_string((int)settings().timeout_seconds) + " s";
    if (!CHECKING) text += " (in plain mode threads do not take turns at loads: a loop that waits for one needs check mode, an atomic or __nanosleep)";
    Thread **slot = (Thread **)(void *)watched.load();
    if (Thread *t = slot ? *slot : nullptr) {
      text += ": " + thread_text(t);
      if (CHECKING && t->last_pc) text += " at " + source_of(t->last_pc);
    }
    fprintf(stderr, "cudacpu: error: %s\n", text.c_str());
    _exit(124);
  }
}

static void start_watchdog() {
  static bool started;
  if (started || settings().timeout_seconds <= 0) return;
  started = true;
  pthread_t thread;
  pthread_create(&thread, nullptr, watchdog, nullptr);
  pthread_detach(thread);
}

static void on_fault(int number, siginfo_t *info, void *) {
  Thread *t = current();
  if (!t) {
    signal(number, SIG_DFL);  // the host's own fault: let it happen again
    return;
  }
  bool overflow = in_guard((char *)info->si_addr, t->fiber);
  const char *what = number == SIGFPE ? "division by zero" : overflow ? "stack overflow (raise CUDACPU_STACK)" : "illegal address";
  fail(cudaErrorIllegalAddress, "%s: %s, address %p", what, thread_text(t).c_str(), info->si_addr);
}

// Installs the handlers for the time of a kernel only: the host process may have its own.
struct FaultGuard {
  static constexpr int SIGNALS[3] = {SIGSEGV, SIGBUS, SIGFPE};
  struct sigaction old[3];
  stack_t old_stack;
  FaultGuard() {
    static char *stack = (char *)malloc(256 << 10);
    stack_t s{};
    s.ss_sp = stack, s.ss_size = 256 << 10;
    sigaltstack(&s, &old_stack);
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (int i = 0; i < 3; i++) sigaction(SIGNALS[i], &action, &old[i]);
  }
  ~FaultGuard() {
    for (int i = 0; i < 3; i++) sigaction(SIGNALS[i], &old[i], nullptr);
    sigaltstack(&old_stack, nullptr);
  }
};

static cudaError_t bad_launch(const CcLaunch &l, cudaError_t error, const char *why) {
  complain("kernel %s: invalid launch: %s: grid (%u,%u,%u) block (%u,%u,%u) dynamic shared memory %zu", kernel_name(l).c_str(), why,
           l.grid.x, l.grid.y, l.grid.z, l.block.x, l.block.y, l.block.z, l.shared);
  return fault(error);
}

static cudaError_t validate(const CcLaunch &l) {
  uint64_t threads = (uint64_t)l.block.x * l.block.y * l.block.z, blocks = (uint64_t)l.grid.x * l.grid.y * l.grid.z;
  if (!threads || !blocks) return bad_launch(l, cudaErrorInvalidConfiguration, "no threads");
  if (threads > 1024 || l.block.z > 64) return bad_launch(l, cudaErrorInvalidConfiguration, "too many threads in a block");
  if (l.grid.x > 0x7fffffffu || l.grid.y > 65535 || l.grid.z > 65535) return bad_launch(l, cudaErrorInvalidConfiguration, "the grid is too large");
  if (blocks >= 0xffffffffu) return bad_launch(l, cudaErrorInvalidConfiguration, "more blocks than the executor can number");
  if (l.shared > (size_t)dynamic_shared_limit(l.kernel))
    return bad_launch(l, cudaErrorInvalidValue, "more dynamic shared memory than cudaFuncSetAttribute allowed");
  int per_sm = 0;
  cc_occupancy(&per_sm, l.kernel, (int)threads, l.shared);
  if (l.cooperative && blocks > (uint64_t)per_sm * settings().sm_count)
    return bad_launch(l, cudaErrorCooperativeLaunchTooLarge, "the cooperative grid does not fit on the device at once");
  const dim3 &cluster = l.cluster;
  if (cluster.x * cluster.y * cluster.z == 1) return cudaSuccess;
  if (cluster.y != 1 || cluster.z != 1 || l.cooperative)
    return bad_launch(l, cudaErrorInvalidClusterSize, "the executor knows clusters along x, and none of a cooperative launch");
  if (!cluster.x || cluster.x > PORTABLE_CLUSTER) return bad_launch(l, cudaErrorInvalidClusterSize, "a cluster has one to eight blocks");
  if (l.grid.x % cluster.x) return bad_launch(l, cudaErrorInvalidConfiguration, "the grid is no whole number of clusters");
  if ((uint64_t)per_sm * settings().sm_count < cluster.x)
    return bad_launch(l, cudaErrorInvalidClusterSize, "a cluster does not fit on the device at once");
  return cudaSuccess;
}

static cudaError_t execute(const CcLaunch &l, const CcArguments &arguments) {
  uint64_t blocks = (uint64_t)l.grid.x * l.grid.y * l.grid.z;
  Launch launch{l, arguments, l.block.x * l.block.y * l.block.z, blocks, false, 1, l.cluster.x};
  launch_count++;
  traffic_launch(l, arguments);
  open_region();
  start_watchdog();
  FaultGuard guard;
  watched = (Thread *)(void *)&cc_current;
  deadline = settings().timeout_seconds > 0 ? seconds() + settings().timeout_seconds : 0;
  run_kernel(launch);
  deadline = 0;
  return launch.failed ? sticky_error() : cudaSuccess;
}

// Launches that a call, or a whole program, may still make; none left ends the process, for one may do that in a loop
// without an end.
static unsigned long long launches_left = settings().most_launches;
constexpr int TOO_MANY_LAUNCHES = 76;

struct KernelTask {
  CcLaunch launch;
  CcArguments arguments;
  ~KernelTask() { arguments.destroy(arguments.data); }
};
}  // namespace cc

using namespace cc;
extern "C" void cudacpu_limit_launches(unsigned long long most) {
  Locked lock;
  launches_left = most;
}
extern "C" cudaError_t cc_launch(const CcLaunch *launch, CcArguments arguments) {
  host_yield();
  Locked lock;
  auto kept = std::shared_ptr<KernelTask>(new KernelTask{*launch, arguments});
  if (current()) cc_reject("a kernel was launched from device code", "?", 0);
  if (sticky_error()) return sticky_error();
  if (cudaError_t error = validate(*launch)) return error;
  if (recording) {
    record_launch(*launch);
    return cudaSuccess;
  }
  if (!launches_left--) _exit(TOO_MANY_LAUNCHES);
  auto run = [](void *data) { return execute(((KernelTask *)data)->launch, ((KernelTask *)data)->arguments); };
  return submit(launch->stream, Task{kept, run, launch->name, &kept->launch, {}});
}
