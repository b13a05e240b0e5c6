// What has been submitted and not run yet.
#include "internal.h"
#include <algorithm>
#include <atomic>
#include <deque>
#include <unistd.h>

namespace cc {
struct Queued {
  uint32_t operation;
  Clock known;  // what it has to wait for, itself included
  Task task;
  bool reported;  // a defect of it has been reported: host memory is no longer touched
};
static std::map<uint32_t, std::deque<Queued>> queues;  // by timeline; none is empty
static std::atomic<int> host_uses;                     // how many of them read or write host memory

bool HostUse::meets(const char *q, size_t n) const {
  if (rows == 0 || q + n <= p || q >= p + (rows - 1) * pitch + bytes) return false;
  if (rows == 1 || q < p) return true;
  size_t within = (size_t)(q - p) % pitch;
  return within < bytes || within + n > pitch;
}

void enqueue(uint32_t timeline, Clock &known, const Task &task) {
  if (known.size() <= timeline) known.resize(timeline + 1);
  uint64_t seq = ++known[timeline];
  const CcLaunch *l = task.launch;
  operations.push_back(Operation{timeline, seq, l ? l->name : task.name, l ? l->kernel : nullptr, l ? l->grid : dim3(), l ? l->block : dim3()});
  queues[timeline].push_back(Queued{(uint32_t)(operations.size() - 1), known, task, false});
  host_uses += !task.host.empty();
}

static bool wanted(const Queued &q, const Clock &target) {
  const Operation &o = operations[q.operation];
  return o.timeline < target.size() && target[o.timeline] >= o.seq;
}

// Whether all that it has to wait for has run: the first of no other queue is among it.
static bool may_start(const Queued &q) {
  uint32_t own = operations[q.operation].timeline;
  for (const auto &other : queues)
    if (other.first != own && wanted(other.second.front(), q.known)) return false;
  return true;
}

// The queue to take from: the one submitted to first (`fwd`), last (`rev`), or any, as for threads.
static std::deque<Queued> *choose(const Clock &target) {
  std::vector<std::deque<Queued> *> fit;
  for (auto &queue : queues)
    if (wanted(queue.second.front(), target) && may_start(queue.second.front())) fit.push_back(&queue.second);
  if (fit.empty()) return nullptr;
  auto earlier = [](auto *a, auto *b) { return a->front().operation < b->front().operation; };
  if (settings().order == Order::random) return fit[random_number() % fit.size()];
  return settings().order == Order::forward ? *std::min_element(fit.begin(), fit.end(), earlier) : *std::max_element(fit.begin(), fit.end(), earlier);
}

static Queued take(std::deque<Queued> *queue) {
  Queued q = std::move(queue->front());
  queue->pop_front();
  if (queue->empty()) queues.erase(operations[q.operation].timeline);
  host_uses -= !q.task.host.empty();
  return q;
}

cudaError_t run_one_queued(const Clock &target) {
  std::deque<Queued> *queue = choose(target);
  if (!queue) return cudaSuccess;
  Queued q = take(queue);
  current_operation = CurrentOperation{q.operation, std::move(q.known)};
  if (sticky_error()) return sticky_error();
  return q.reported && !q.task.host.empty() ? cudaSuccess : q.task.run(q.task.data.get());
}

bool queued(const Clock &target) {
  for (const auto &queue : queues)
    if (wanted(queue.second.front(), target)) return true;
  return false;
}

cudaError_t run_queued(const Clock &target) {
  cudaError_t first = cudaSuccess;
  while (queued(target)) {
    cudaError_t error = run_one_queued(target);
    if (!first) first = error;
  }
  return first;
}

static Clock everything() {
  Clock all;
  for (const auto &queue : queues) join(all, queue.second.back().known);
  return all;
}
cudaError_t run_all_queued() { return run_queued(everything()); }
void drop_queued() { queues.clear(), host_uses = 0; }

// The host touches memory that a queued copy is still to read or write. CUDA says of pageable memory that such a copy
// might be synchronous: that is nothing to rest on.
void check_host_use(const char *p, size_t bytes, bool write, const char *does, const void *pc) {
  if (!host_uses) return;
  Locked lock;
  for (auto &queue : queues)
    for (Queued &q : queue.second)
      for (const HostUse &use : q.task.host) {
        if (q.reported || !(write || use.written) || !use.meets(p, bytes)) continue;
        q.reported = true;
        complain("data race: host code %s %zu bytes at %s, which %s is still to %s: no synchronisation waits for it",
                 does, bytes, source_of(pc).c_str(), q.task.name, use.written ? "write" : "read");
      }
}

// At the end of the program: everything that does not touch host memory, which may be gone.
static void finish_queued() {
  for (auto &queue : queues)
    for (Queued &q : queue.second) {
      for (const HostUse &use : q.task.host)
        if (use.written && !q.reported) complain("the program ends, and no synchronisation has waited for %s of %zu bytes to the host", q.task.name, use.bytes * use.rows);
      q.reported = true;
    }
  run_all_queued();
}

// A defect found at the very end makes the program fail, if it would have succeeded.
static void at_exit(int status, void *) {
  int before = error_count;
  {
    Locked lock;
    if (!current()) finish_queued();
    if (!error_count) report_leaks();
  }
  if (status || error_count == before) return;
  fflush(nullptr);
  _exit(1);
}
// Called once in main, so that it comes before the destruction of the runtime's own data.
void watch_exit() { on_exit(at_exit, nullptr); }
}  // namespace cc

extern "C" int cudacpu_pending_copies() { return cc::host_uses; }
