// Messages. Every defect is one line on standard error that starts with 'cudacpu: error: '.
#include "internal.h"
#include <dlfcn.h>
#include <stdarg.h>
#include <unistd.h>

namespace cc {
static std::string last_message;

static std::string formatted(const char *format, va_list arguments) {
  char text[4096];
  vsnprintf(text, sizeof text, format, arguments);
  return text;
}

static void print(const std::string &text) {
  last_message = text;
  error_count++;
  fprintf(stderr, "cudacpu: error: %s\n", text.c_str());
  fflush(stderr);
}

void complain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print(formatted(format, arguments));
  va_end(arguments);
}

void fail(cudaError_t error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::string text = formatted(format, arguments);
  va_end(arguments);
  print(running ? "kernel " + kernel_name(running->what) + ": " + text : text);
  set_sticky(error);
  if (running) running->failed = true;
  if (current()) leave_kernel();
}

static std::string indices(uint3 block, uint3 thread) {
  char text[120];
  snprintf(text, sizeof text, "block (%u,%u,%u) thread (%u,%u,%u)", block.x, block.y, block.z, thread.x, thread.y, thread.z);
  return text;
}

std::string thread_text(const Thread *t) { return indices(t->bid, t->tid); }

static uint3 unflatten(uint64_t linear, dim3 shape) {
  return uint3{(unsigned)(linear % shape.x), (unsigned)(linear / shape.x % shape.y), (unsigned)(linear / shape.x / shape.y)};
}

std::string thread_text(const Operation &op, uint32_t block, uint32_t thread) {
  return indices(unflatten(block, op.grid), unflatten(thread, op.block));
}

static std::string base_name(const std::string &path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string place(const char *file, int line) { return base_name(file ? file : "?") + ":" + std::to_string(line); }

char *own_image() {
  static char *base = [] {
    Dl_info info;
    return dladdr((void *)&own_image, &info) ? (char *)info.dli_fbase : nullptr;
  }();
  return base;
}

static std::string image_path() {
  Dl_info info;
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  std::string executable(self, length > 0 ? length : 0);
  if (!dladdr((void *)&own_image, &info)) return executable;
  // An executable's own name is what it was called by, which need not be a path.
  bool shared = std::string(info.dli_fname).find(".so") != std::string::npos && access(info.dli_fname, R_OK) == 0;
  return shared ? info.dli_fname : executable;
}

static std::vector<std::string> addr2line(const char *options, const void *address) {
  char offset[40], line[4096];
  snprintf(offset, sizeof offset, "0x%zx", (size_t)((const char *)address - own_image()));
  std::string command = "addr2line " + std::string(options) + " -e '" + image_path() + "' " + offset + " 2>/dev/null";
  std::vector<std::string> lines;
  FILE *pipe = popen(command.c_str(), "r");
  while (pipe && fgets(line, sizeof line, pipe)) {
    line[strcspn(line, "\n")] = 0;
    lines.push_back(line);
  }
  if (pipe) pclose(pipe);
  return lines;
}

std::string source_of(const void *pc) {
  if (!pc) return "?";
  std::string first = "?";
  for (std::string &line : addr2line("-i", (const char *)pc - 1)) {
    std::string text = line.substr(0, line.find(" ("));
    bool ours = text.find("/include/cudacpu/") != std::string::npos;  // e.g. __ldg: the caller is what matters
    if (!ours) return base_name(text);
    if (first == "?") first = base_name(text);
  }
  return first;
}

std::string function_name(const void *function) {
  std::vector<std::string> lines = addr2line("-f -C", function);
  if (lines.empty() || lines[0] == "??") return "?";
  std::string name = lines[0];
  size_t parenthesis = name.find('(');
  if (parenthesis != std::string::npos) name.resize(parenthesis);
  if (name.rfind("void ", 0) == 0) name.erase(0, 5);
  return name;
}

std::string kernel_name(const CcLaunch &launch) { return launch.name ? launch.name : function_name(launch.kernel); }
}  // namespace cc

extern "C" const char *cudacpu_last_message() { return cc::last_message.c_str(); }

extern "C" void cc_reject(const char *what, const char *file, int line) {
  cc::Thread *t = cc::current();
  if (!t) {
    cc::complain("%s at %s", what, cc::place(file, line).c_str());
    abort();
  }
  cc::fail(cudaErrorLaunchFailure, "%s: %s at %s", what, cc::thread_text(t).c_str(), cc::place(file, line).c_str());
  __builtin_unreachable();
}
