// How many bytes of global memory each kernel reads and writes, by array; counted on demand, in check mode.
//
// Note [Traffic]: a load counts with the bytes that the instruction asks for, whatever a cache would answer; an atomic
// counts as a read and a write. Beside it stand the bytes of an array that were read at all before they were written,
// and those that were written at all: no program that does the same work can move less.
#include "internal.h"
#ifdef CUDACPU_CHECK
#include <algorithm>

namespace cc {
bool traffic_on;
struct Moved { uint64_t read = 0, written = 0; };
struct Touched { std::vector<bool> read_first, written; };
struct Copies { uint64_t count = 0, bytes = 0; };
struct Traffic {
  std::vector<std::pair<std::string, uint64_t>> launches;       // by kernel, in the order of the first launch
  std::map<std::pair<std::string, std::string>, Moved> moved;   // by kernel and array
  std::map<std::string, Touched> touched;                       // by array
  std::vector<std::string> arrays;                              // in the order of the first access
  std::map<std::string, Copies> copies;
};
static Traffic traffic;
static std::string kernel_now;
struct Target { const char *low, *high; Moved *moved; Touched *touched; };
static Target last;

static std::map<std::string, std::vector<std::string>> &parameter_names() {
  static auto *names = new std::map<std::string, std::vector<std::string>>;  // registered before main
  return *names;
}

static std::string base_kernel(const CcLaunch &launch) {
  static std::unordered_map<const void *, std::string> known;
  std::string &name = known[launch.kernel];
  if (name.empty()) {
    name = kernel_name(launch);
    name.resize(std::min(name.size(), name.find('<')));
  }
  return name;
}

static void name_parameter(void *names, int index, const void *p) {
  auto *known = (const std::vector<std::string> *)names;
  Allocation *a = find_allocation(p, 0);
  if (a && a->label.empty() && (size_t)index < known->size()) a->label = (*known)[index];
}

void traffic_launch(const CcLaunch &launch, const CcArguments &arguments) {
  if (!traffic_on) return;
  kernel_now = base_kernel(launch);
  last = Target{};
  auto names = parameter_names().find(kernel_now);
  if (names != parameter_names().end()) arguments.pointers(arguments.data, name_parameter, &names->second);
  for (auto &entry : traffic.launches)
    if (entry.first == kernel_now) { entry.second++; return; }
  traffic.launches.push_back({kernel_now, 1});
}

void traffic_copy(const char *kind, size_t bytes) {
  if (!traffic_on) return;
  Copies &c = traffic.copies[kind];
  c.count++;
  c.bytes += bytes;
}

static Target target_of(const char *p) {
  const char *low, *high;
  std::string array;
  if (const Variable *v = find_variable(p, 0)) {
    if (v->constant) return Target{v->address, v->address + v->bytes, nullptr, nullptr};
    low = v->address, high = low + v->bytes, array = v->name;
  } else {
    Allocation *a = find_allocation(p, 0);
    low = a->address, high = low + a->bytes;
    array = a->argument ? a->label : "(" + (a->label.empty() ? "allocation " + std::to_string(a->number) : a->label) + ")";
  }
  if (!traffic.touched.count(array)) traffic.arrays.push_back(array);
  Touched &t = traffic.touched[array];
  t.read_first.resize(std::max(t.read_first.size(), (size_t)(high - low)));
  t.written.resize(t.read_first.size());
  return Target{low, high, &traffic.moved[{kernel_now, array}], &t};
}

void traffic_touch(const Thread *t, const char *p, size_t bytes, unsigned kind) {
  if (p >= t->block->arena && p < t->block->arena + ARENA_BYTES) return;
  if (p < last.low || p >= last.high) last = target_of(p);
  if (!last.moved) return;
  size_t first = p - last.low;
  if (!(kind & WRITE) || kind & UPDATE) {
    last.moved->read += bytes;
    for (size_t i = first; i < first + bytes; i++)
      if (!last.touched->written[i]) last.touched->read_first[i] = true;
  }
  if (!(kind & WRITE)) return;
  last.moved->written += bytes;
  for (size_t i = first; i < first + bytes; i++) last.touched->written[i] = true;
}

static uint64_t count(const std::vector<bool> &bits) { return (uint64_t)std::count(bits.begin(), bits.end(), true); }

static std::string traffic_text() {
  std::string text;
  auto line = [&](std::initializer_list<std::string> words) {
    for (const std::string &word : words) text += word + "\t";
    text.back() = '\n';
  };
  for (const auto &k : traffic.launches) line({"kernel", k.first, std::to_string(k.second)});
  for (const auto &k : traffic.launches)
    for (const std::string &array : traffic.arrays) {
      auto found = traffic.moved.find({k.first, array});
      if (found != traffic.moved.end()) line({"moved", k.first, array, std::to_string(found->second.read), std::to_string(found->second.written)});
    }
  for (const std::string &array : traffic.arrays) {
    const Touched &t = traffic.touched[array];
    line({"touched", array, std::to_string(count(t.read_first)), std::to_string(count(t.written))});
  }
  for (const auto &c : traffic.copies) line({"copy", c.first, std::to_string(c.second.count), std::to_string(c.second.bytes)});
  return text;
}
}  // namespace cc

using namespace cc;
extern "C" {
void cc_register_parameters(const char *kernel, const char *names) {
  std::vector<std::string> &list = parameter_names()[kernel];
  list.assign(1, "");
  for (const char *c = names; *c; c++)
    if (*c == ',') list.push_back("");
    else list.back() += *c;
}
void cudacpu_count_traffic(int on) {
  Locked lock;
  if (on) traffic = Traffic(), last = Target{};
  traffic_on = on != 0;
}
void cudacpu_name(void *p, const char *name) {
  Locked lock;
  Allocation *a = find_allocation(p, 0);
  if (a) a->label = name, a->argument = true;
}
const char *cudacpu_traffic() {
  Locked lock;
  static std::string text;
  text = traffic_text();
  return text.c_str();
}
}
#else
namespace cc {
void traffic_launch(const CcLaunch &, const CcArguments &) {}
void traffic_copy(const char *, size_t) {}
}
extern "C" {
void cc_register_parameters(const char *, const char *) {}
void cudacpu_count_traffic(int) {}
void cudacpu_name(void *, const char *) {}
const char *cudacpu_traffic() { return ""; }
}
#endif
