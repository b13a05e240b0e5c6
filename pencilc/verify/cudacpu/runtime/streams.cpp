// Streams, events and capture.
//
// Note [Timelines]: every stream is a timeline, and so is every branch of an instantiated graph. An operation is the
// n-th of its timeline and knows, as a vector clock, which operations of the others completed before it. The host is
// one party whatever its threads: what one thread has waited for, all are taken to know. (What host threads tell each
// other through locks cannot be seen, and taking it for nothing would give false alarms.)
//
// Note [What capture refuses]: a stream under capture has no identity and no work that could be asked for or waited
// for: `cudaStreamGetId`, queries and synchronisation fail and invalidate the capture. Synchronising the device would
// wait for such a stream, in whatever mode a thread is. Calls that a capture does not see (allocation and release that
// are not ordered by a stream, pools, queries, synchronisation) are refused, and invalidate every capture that forbids
// them: those of the thread itself that are not relaxed, and the global ones of other threads, unless the thread has
// exchanged its mode.
//
// Note [Handles]: the handle of a destroyed stream is given to the next one, as drivers do, and the per-thread default
// stream has one handle and one identity in all threads.
#include "internal.h"
#include <algorithm>
#include <pthread.h>
#include <time.h>

struct CUstream_st {
  unsigned long long id;
  bool blocking;
  uint32_t timeline;
  cc::Clock known;
  CUgraph_st *capture;      // the graph being captured, by this stream or one it joined
  uint32_t branch;          // its branch in that graph
  bool origin;              // the stream that began the capture
  cudaStreamCaptureMode mode;
  pthread_t thread;         // where it began
};
struct CUevent_st {
  cc::Clock known;
  bool recorded, timing;
  double milliseconds;
  CUgraph_st *capture;      // recorded while capturing: `known` counts nodes by branch
};
struct GraphNode { cc::Task task; uint32_t branch; cc::Clock needs; };
struct CUgraph_st {
  unsigned long long id;
  std::vector<GraphNode> nodes;
  std::vector<cc::Clock> branches;  // what each branch knows so far, by branch
  bool invalid;
};
struct CUgraphExec_st {
  std::vector<GraphNode> nodes;
  std::vector<uint32_t> timelines;  // by branch
  cc::Clock known;                  // the end of its last launch: a graph does not overlap itself
  unsigned long long flags;
};

namespace cc {
CurrentOperation current_operation;
std::vector<Operation> operations(1);  // number 0 is no operation
static Clock host_known, retired;
static uint32_t timeline_count;
static constexpr unsigned long long per_thread_id = 1;
static unsigned long long next_id = per_thread_id + 1;
static std::vector<CUstream_st *> streams, destroyed;  // by handle
static thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

void join(Clock &into, const Clock &other) {
  if (into.size() < other.size()) into.resize(other.size());
  for (size_t i = 0; i < other.size(); i++) into[i] = std::max(into[i], other[i]);
}

uint32_t new_timeline() { return timeline_count++; }

bool operation_completed_before(uint32_t id) {
  const Operation &o = operations[id];
  const Clock &known = current_operation.known;
  return o.timeline < known.size() && known[o.timeline] >= o.seq;
}

static CUstream_st *new_stream(bool blocking) {
  CUstream_st *s = destroyed.empty() ? new CUstream_st : destroyed.back();
  if (!destroyed.empty()) destroyed.pop_back();
  *s = CUstream_st{next_id++, blocking, new_timeline(), {}, nullptr, 0, false, cudaStreamCaptureModeGlobal, {}};
  streams.push_back(s);
  return s;
}
static CUstream_st *legacy_stream() {
  static CUstream_st *s = new_stream(true);
  return s;
}
static CUstream_st *resolve(cudaStream_t stream) {
  thread_local CUstream_st *per_thread;
  if (!stream || stream == cudaStreamLegacy) return legacy_stream();
  if (stream == cudaStreamPerThread) return per_thread ? per_thread : per_thread = new_stream(true);
  return std::find(streams.begin(), streams.end(), stream) != streams.end() ? stream : nullptr;
}
bool is_stream(cudaStream_t stream) { return resolve(stream) != nullptr; }

// The legacy stream waits for all blocking streams, and they for it.
static void order_with_legacy(CUstream_st *s) {
  if (!s->blocking) return;
  if (s != legacy_stream()) join(s->known, legacy_stream()->known);
  else for (CUstream_st *other : streams) if (other->blocking) join(s->known, other->known);
}

static cudaError_t spoil(CUstream_st *s, cudaError_t error) {
  s->capture->invalid = true;
  return fault(error);
}

static cudaError_t spoil_all(bool (*concerned)(const CUstream_st *)) {
  bool any = false;
  for (CUstream_st *s : streams)
    if (s->capture && concerned(s)) s->capture->invalid = any = true;
  return any ? fault(cudaErrorStreamCaptureUnsupported) : cudaSuccess;
}

cudaError_t refuse_while_capturing() {
  if (thread_mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  return spoil_all([](const CUstream_st *s) {
    if (!s->origin || s->mode == cudaStreamCaptureModeRelaxed) return false;
    if (pthread_equal(s->thread, pthread_self())) return true;
    return thread_mode == cudaStreamCaptureModeGlobal && s->mode == cudaStreamCaptureModeGlobal;
  });
}

static cudaError_t capture_task(CUstream_st *s, Task task) {
  CUgraph_st *graph = s->capture;
  if (graph->invalid) return fault(cudaErrorStreamCaptureInvalidated);
  Clock &known = graph->branches[s->branch];
  if (known.size() <= s->branch) known.resize(s->branch + 1);
  Clock needs = known;
  known[s->branch]++;
  graph->nodes.push_back(GraphNode{std::move(task), s->branch, needs});
  return cudaSuccess;
}

cudaError_t submit(cudaStream_t stream, Task task) {
  CUstream_st *s = resolve(stream);
  if (!s) return fault(cudaErrorInvalidResourceHandle);
  if (sticky_error()) return sticky_error();
  if (s->capture) return capture_task(s, std::move(task));
  if (s == legacy_stream())
    for (CUstream_st *other : streams)
      if (other->capture && other->blocking) return spoil(other, cudaErrorStreamCaptureImplicit);
  join(s->known, host_known);
  order_with_legacy(s);
  enqueue(s->timeline, s->known, task);
  return cudaSuccess;
}

static cudaError_t host_waits(const Clock &known) {
  cudaError_t error = run_queued(known);
  join(host_known, known);
  return sticky_error() ? sticky_error() : error;
}

cudaError_t submit_and_wait(Task task) {
  if (cudaError_t refused = refuse_while_capturing()) return refused;
  if (cudaError_t error = submit(nullptr, std::move(task))) return error;
  return host_waits(Clock(legacy_stream()->known));
}

// NotReady is no error that cudaGetLastError would remember.
static cudaError_t host_asks(const Clock &known) {
  if (sticky_error()) return sticky_error();
  if (cudaError_t error = run_one_queued(known)) return error;
  if (queued(known)) return cudaErrorNotReady;
  join(host_known, known);
  return sticky_error();
}

static double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static cudaError_t join_capture(CUstream_st *s, CUevent_st *event) {
  if (s->capture && s->capture != event->capture) return spoil(s, cudaErrorStreamCaptureIsolation);
  if (!s->capture) {
    s->capture = event->capture;
    s->branch = (uint32_t)event->capture->branches.size();
    s->origin = false;
    event->capture->branches.push_back({});
  }
  join(s->capture->branches[s->branch], event->known);
  return cudaSuccess;
}

static cudaError_t replay(CUgraphExec_st *exec, CUstream_st *s) {
  join(s->known, host_known);
  order_with_legacy(s);
  join(s->known, exec->known);
  const Clock start = s->known;
  std::vector<uint64_t> base(exec->timelines.size());
  for (size_t b = 0; b < base.size(); b++) base[b] = exec->timelines[b] < start.size() ? start[exec->timelines[b]] : 0;
  for (GraphNode &node : exec->nodes) {
    Clock known = start;
    for (size_t b = 0; b < node.needs.size(); b++) {
      if (known.size() <= exec->timelines[b]) known.resize(exec->timelines[b] + 1);
      known[exec->timelines[b]] = base[b] + node.needs[b];
    }
    enqueue(exec->timelines[node.branch], known, node.task);
    join(s->known, known);
  }
  exec->known = s->known;
  return cudaSuccess;
}
}  // namespace cc

using namespace cc;
extern "C" {
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  Locked lock;
  *stream = new_stream(!(flags & cudaStreamNonBlocking));
  return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int) { return cudaStreamCreateWithFlags(stream, flags); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  Locked lock;
  CUstream_st *s = resolve(stream);
  if (!s || s != stream) return fault(cudaErrorInvalidResourceHandle);
  join(retired, s->known);
  streams.erase(std::find(streams.begin(), streams.end(), s));
  destroyed.push_back(s);
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  Locked lock;
  CUstream_st *s = resolve(stream);
  if (!s) return fault(cudaErrorInvalidResourceHandle);
  if (s->capture) return spoil(s, cudaErrorStreamCaptureUnsupported);
  if (cudaError_t refused = refuse_while_capturing()) return refused;
  if (sticky_error()) return sticky_error();
  order_with_legacy(s);
  return host_waits(Clock(s->known));
}
// Asking makes some progress, as time does.
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  Locked lock;
  CUstream_st *s = resolve(stream);
  if (!s) return fault(cudaErrorInvalidResourceHandle);
  if (s->capture) return spoil(s, cudaErrorStreamCaptureUnsupported);
  if (cudaError_t refused = refuse_while_capturing()) return refused;
  order_with_legacy(s);
  return host_asks(Clock(s->known));
}
cudaError_t cudaDeviceSynchronize() {
  Locked lock;
  if (cudaError_t refused = spoil_all([](const CUstream_st *) { return true; })) return refused;
  if (sticky_error()) return sticky_error();
  Clock everything = retired;
  for (CUstream_st *s : streams) join(everything, s->known);
  return host_waits(everything);
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
  Locked lock;
  CUstream_st *s = resolve(stream);
  if (!s) return fault(cudaErrorInvalidResourceHandle);
  if (s->capture) return spoil(s, cudaErrorStreamCaptureUnsupported);
  *id = stream == cudaStreamPerThread ? per_thread_id : s->id;
  return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  Locked lock;
  CUstream_st *s = resolve(stream);
  if (!s) return fault(cudaErrorInvalidResourceHandle);
  *flags = s->blocking ? cudaStreamDefault : cudaStreamNonBlocking;
  return cudaSuccess;
}
cudaError_t cudaStreamGetDevice(cudaStream_t, int *device) { *device = 0; return cudaSuccess; }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  *event = new CUevent_st{{}, false, !(flags & cudaEventDisableTiming), 0, nullptr};
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { delete event; return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  Locked lock;
  CUstream_st *s = resolve(stream);
  if (!s || !event) return fault(cudaErrorInvalidResourceHandle);
  order_with_legacy(s);
  if (!s->capture) join(s->known, host_known);
  event->known = s->capture ? s->capture->branches[s->branch] : s->known;
  event->capture = s->capture;
  event->recorded = true;
  event->milliseconds = now();
  return sticky_error();
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  Locked lock;
  if (event->capture) return fault(cudaErrorCapturedEvent);
  if (cudaError_t refused = refuse_while_capturing()) return refused;
  return sticky_error() ? sticky_error() : host_waits(Clock(event->known));
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  Locked lock;
  if (event->capture) return fault(cudaErrorCapturedEvent);
  if (cudaError_t refused = refuse_while_capturing()) return refused;
  return host_asks(Clock(event->known));
}
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  Locked lock;
  if (!start->recorded || !end->recorded || !start->timing || !end->timing) return fault(cudaErrorInvalidResourceHandle);
  if (queued(start->known) || queued(end->known)) return cudaErrorNotReady;
  *milliseconds = (float)(end->milliseconds - start->milliseconds);
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  Locked lock;
  CUstream_st *s = resolve(stream);
  if (!s || !event) return fault(cudaErrorInvalidResourceHandle);
  if (event->capture) return join_capture(s, event);
  if (s->capture) return event->recorded ? spoil(s, cudaErrorStreamCaptureIsolation) : cudaSuccess;
  join(s->known, event->known);
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  Locked lock;
  CUstream_st *s = resolve(stream);
  if (!s) return fault(cudaErrorInvalidResourceHandle);
  if (s == legacy_stream()) return fault(cudaErrorStreamCaptureUnsupported);
  if (s->capture) return fault(cudaErrorInvalidValue);
  s->capture = new CUgraph_st{next_id++, {}, {Clock()}, false};
  s->branch = 0, s->origin = true, s->mode = mode, s->thread = pthread_self();
  return cudaSuccess;
}

// Every stream that joined must have been joined back, or its work would be lost from the end of the graph.
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  Locked lock;
  CUstream_st *s = resolve(stream);
  *graph = nullptr;
  if (!s || !s->capture) return fault(cudaErrorInvalidValue);
  if (!s->origin) return fault(cudaErrorStreamCaptureUnmatched);
  CUgraph_st *g = s->capture;
  bool joined = true;
  for (size_t b = 1; b < g->branches.size(); b++) {
    uint64_t done = b < g->branches[b].size() ? g->branches[b][b] : 0, seen = b < g->branches[0].size() ? g->branches[0][b] : 0;
    joined = joined && seen >= done;
  }
  for (CUstream_st *other : streams)
    if (other->capture == g) other->capture = nullptr;
  if (g->invalid || !joined) {
    delete g;
    return fault(joined ? cudaErrorStreamCaptureInvalidated : cudaErrorStreamCaptureUnjoined);
  }
  *graph = g;
  return cudaSuccess;
}
cudaError_t cc_capture_info(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id, cudaGraph_t *graph) {
  Locked lock;
  CUstream_st *s = resolve(stream);
  if (!s) return fault(cudaErrorInvalidResourceHandle);
  if (s == legacy_stream())
    for (CUstream_st *other : streams)
      if (other->capture && other->blocking) return fault(cudaErrorStreamCaptureImplicit);
  *status = !s->capture ? cudaStreamCaptureStatusNone : s->capture->invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
  if (id && s->capture) *id = s->capture->id;
  if (graph) *graph = s->capture;
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  return cc_capture_info(stream, status, nullptr, nullptr);
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
  std::swap(thread_mode, *mode);
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags) {
  Locked lock;
  if (!graph) return fault(cudaErrorInvalidValue);
  *exec = new CUgraphExec_st{graph->nodes, {}, {}, flags};
  for (size_t b = 0; b < graph->branches.size(); b++) (*exec)->timelines.push_back(new_timeline());
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  Locked lock;
  CUstream_st *s = resolve(stream);
  if (!s || !exec) return fault(cudaErrorInvalidResourceHandle);
  if (s->capture) return spoil(s, cudaErrorStreamCaptureUnsupported);
  return sticky_error() ? sticky_error() : replay(exec, s);
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) { Locked lock; delete graph; return cudaSuccess; }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) { Locked lock; delete exec; return cudaSuccess; }
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *, size_t *count) {
  Locked lock;
  *count = graph->nodes.size();
  return cudaSuccess;
}
}
