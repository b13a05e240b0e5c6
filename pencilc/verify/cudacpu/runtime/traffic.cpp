// How many bytes of global memory each kernel reads and writes, by array; counted on demand, in check mode.
//
// Note [Traffic]: a load counts with the bytes that the instruction asks for, whatever a cache would answer; an atomic
// counts as a read and a write. Beside it stand the bytes of an array that were read at all before they were written,
// and those that were written at all: no program that does the same work can move less. Between the two stands what each
// block touched at all, read before it had written it itself: where a block has a tile, the least for that tile.
#include "internal.h"
#ifdef CUDACPU_CHECK
#include <algorithm>
#include <unordered_set>

namespace cc {
bool traffic_on;
struct Moved { uint64_t read = 0, written = 0, block_read = 0, block_written = 0; };
struct Touched {
  std::vector<bool> read_first, written;
  std::vector<uint32_t> last_reader, last_writer;  // the serial number of a block, by byte
};
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
struct Target { const char *low, *high; Moved *moved; Touched *touched; const std::string *array; };
static Target last;
// Blocks of a cooperative launch take turns, so that the last one to touch a byte says nothing: (serial, address).
struct TouchHash { size_t operator()(const std::pair<uint32_t, const char *> &k) const { return (size_t)k.second * 0x9e3779b97f4a7c15u ^ k.first; } };
static std::unordered_set<std::pair<uint32_t, const char *>, TouchHash> read_by, written_by;

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
  read_by.clear(), written_by.clear();
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
    if (v->constant) return Target{v->address, v->address + v->bytes, nullptr, nullptr, nullptr};
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
  t.last_reader.resize(t.read_first.size());
  t.last_writer.resize(t.read_first.size());
  return Target{low, high, &traffic.moved[{kernel_now, array}], &t, &traffic.touched.find(array)->first};
}

const std::string &traffic_kernel() { return kernel_now; }

// Whether the block touches a byte for the first time.
static bool first_touch(const Block *block, const char *p, uint32_t &last_one, decltype(read_by) &by) {
  if (running->what.cooperative) return by.insert({block->serial, p}).second;
  if (last_one == block->serial) return false;
  last_one = block->serial;
  return true;
}
static bool has_written(const Block *block, const char *p, uint32_t last_one) {
  return running->what.cooperative ? written_by.count({block->serial, p}) != 0 : last_one == block->serial;
}

void traffic_touch(const Thread *t, const char *p, size_t bytes, unsigned kind, const void *pc) {
  if (p >= t->block->arena && p < t->block->arena + ARENA_BYTES) return requests_touch(t, p, bytes, kind, pc, kernel_now, nullptr);
  if (p < last.low || p >= last.high) last = target_of(p);
  if (!last.moved) return;
  requests_touch(t, p, bytes, kind, pc, kernel_now, last.array);
  size_t first = p - last.low;
  if (!(kind & WRITE) || kind & UPDATE) {
    last.moved->read += bytes;
    for (size_t i = first; i < first + bytes; i++) {
      if (!last.touched->written[i]) last.touched->read_first[i] = true;
      if (has_written(t->block, last.low + i, last.touched->last_writer[i])) continue;
      last.moved->block_read += first_touch(t->block, last.low + i, last.touched->last_reader[i], read_by);
    }
  }
  if (!(kind & WRITE)) return;
  last.moved->written += bytes;
  for (size_t i = first; i < first + bytes; i++) {
    last.touched->written[i] = true;
    last.moved->block_written += first_touch(t->block, last.low + i, last.touched->last_writer[i], written_by);
  }
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
      if (found == traffic.moved.end()) continue;
      const Moved &m = found->second;
      line({"moved", k.first, array, std::to_string(m.read), std::to_string(m.written), std::to_string(m.block_read), std::to_string(m.block_written)});
    }
  for (const std::string &array : traffic.arrays) {
    const Touched &t = traffic.touched[array];
    line({"touched", array, std::to_string(count(t.read_first)), std::to_string(count(t.written))});
  }
  for (const auto &c : traffic.copies) line({"copy", c.first, std::to_string(c.second.count), std::to_string(c.second.bytes)});
  return text + requests_text();
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
  if (on) traffic = Traffic(), last = Target{}, requests_restart();
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
