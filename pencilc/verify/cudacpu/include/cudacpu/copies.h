// Asynchronous copies into shared memory. The runtime does them as late as the waits allow (runtime/copies.cpp).
#pragma once
#include "device.h"

extern "C" {
void cc_copy_async(void *to, const void *from, size_t bytes, size_t zeros, const char *file, int line);
void cc_copy_commit();
void cc_copy_wait(unsigned groups);
}

static __forceinline__ void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0, CC_HERE) {
  cc_copy_async(to, from, bytes, zeros, cc_file, cc_line);
}
static inline void __pipeline_commit() { cc_copy_commit(); }
static inline void __pipeline_wait_prior(unsigned groups) { cc_copy_wait(groups); }
