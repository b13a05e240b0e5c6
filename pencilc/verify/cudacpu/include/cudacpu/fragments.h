// Fragments of matrices for tensor cores, of 16 x 16 x 16.
//
// Note [Fragments]: which lane holds which element is not for a program to know, so that fragments have no elements here:
// what reads `x` does not compile. All 32 lanes of a warp do each operation together, on the same address.
#pragma once
#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include "products.h"

namespace nvcuda {
namespace wmma {
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };

template <class T> struct CcChunk {  // what a lane moves at once
  T at[8];
} __attribute__((aligned(sizeof(T) < 2 ? 8 : 16)));

// Of a factor a lane has half a line as it lies in memory, neighbouring lanes neighbouring lines, as ldmatrix reads them; of
// an accumulator pairs of neighbours, as mma leaves them. What is counted of the banks of shared memory rests on that.
template <class Use, int M, int N, int K, class T, class Layout = void> class fragment {
  static_assert(M == 16 && N == 16 && K == 16, "the executor knows fragments of 16 x 16 x 16 only");

 public:
  CcChunk<T> cc_line;
  bool cc_filled = false;
};

static inline void cc_together(uint64_t same, const char *file, int line) { cc_warp(CC_FRAGMENT, ~0u, same, 0, 32, file, line); }
static inline void cc_check_address(const void *p, size_t pitch_bytes, const char *file, int line) {
  if ((uintptr_t)p % 32) cc_reject("the address of a fragment is no multiple of 32 bytes", file, line);
  if (pitch_bytes % 16) cc_reject("the lines of a fragment do not begin at multiples of 16 bytes", file, line);
}
static inline int cc_line_of(int lane) { return lane % 8 + lane / 16 * 8; }
static inline int cc_along(int lane) { return lane / 8 % 2 * 8; }
static inline int cc_row_of(int lane, int e) { return lane / 4 + e / 2 % 2 * 8; }
static inline int cc_column_of(int lane, int e) { return lane % 4 * 2 + e % 2 + e / 4 * 8; }
template <class T> struct alignas(2 * sizeof(T)) CcPair {
  T at[2];
};

template <class F, class T> static inline void fill_fragment(F &f, const T &value, CC_HERE) {
  cc_together(cc_to_bits(value), cc_file, cc_line);
  for (auto &element : f.cc_line.at) element = value;
  f.cc_filled = true;
}
template <class Use, class T, class Layout>
static inline void load_matrix_sync(fragment<Use, 16, 16, 16, T, Layout> &f, const T *from, unsigned pitch, CC_HERE) {
  cc_check_address(from, pitch * sizeof(T), cc_file, cc_line);
  cc_together((uint64_t)from * 31 + pitch, cc_file, cc_line);
  f.cc_line = *(const CcChunk<T> *)(from + cc_line_of(cc_lane()) * (size_t)pitch + cc_along(cc_lane()));
  f.cc_filled = true;
}
template <class T>
static inline void store_matrix_sync(T *to, const fragment<accumulator, 16, 16, 16, T> &f, unsigned pitch, layout_t layout, CC_HERE) {
  if (layout != mem_row_major) cc_reject("the executor stores fragments by rows only", cc_file, cc_line);
  if (!f.cc_filled) cc_reject("a fragment is stored that nothing was put into", cc_file, cc_line);
  cc_check_address(to, pitch * sizeof(T), cc_file, cc_line);
  cc_together((uint64_t)to * 31 + pitch, cc_file, cc_line);
  const int lane = cc_lane();
  for (int e = 0; e < 8; e += 2)
    *(CcPair<T> *)(to + cc_row_of(lane, e) * (size_t)pitch + cc_column_of(lane, e)) = *(const CcPair<T> *)&f.cc_line.at[e];
}

static inline float cc_wide(__half x) { return cc_small_to_float<5, 10>(x.bits); }
static inline float cc_wide(__nv_bfloat16 x) { return cc_small_to_float<8, 7>(x.bits); }
static inline int cc_wide(signed char x) { return x; }
static inline int cc_wide(unsigned char x) { return x; }

template <class T, class S, class LayoutA, class LayoutB> CC_UNWATCHED void cc_multiply(CcMatrixCall *const *lanes) {
  S a[16][16], b[16][16];  // rows of the one, columns of the other
  constexpr bool ROWS_OF_A = std::is_same<LayoutA, row_major>::value, ROWS_OF_B = std::is_same<LayoutB, row_major>::value;
  for (int l = 0; l < 32; l++) {
    const auto *fa = (const fragment<matrix_a, 16, 16, 16, T, LayoutA> *)lanes[l]->a;
    const auto *fb = (const fragment<matrix_b, 16, 16, 16, T, LayoutB> *)lanes[l]->b;
    const auto *fc = (const fragment<accumulator, 16, 16, 16, S> *)lanes[l]->c;
    if (!fa->cc_filled || !fb->cc_filled || !fc->cc_filled)
      cc_reject("fragments are multiplied that nothing was put into", lanes[l]->file, lanes[l]->line);
    for (int e = 0; e < 8; e++) {
      const int line = cc_line_of(l), along = cc_along(l) + e;
      a[ROWS_OF_A ? line : along][ROWS_OF_A ? along : line] = cc_wide(fa->cc_line.at[e]);
      b[ROWS_OF_B ? along : line][ROWS_OF_B ? line : along] = cc_wide(fb->cc_line.at[e]);
    }
  }
  for (int l = 0; l < 32; l++) {
    const auto *fc = (const fragment<accumulator, 16, 16, 16, S> *)lanes[l]->c;
    auto *fd = (fragment<accumulator, 16, 16, 16, S> *)lanes[l]->d;
    for (int e = 0; e < 8; e++) fd->cc_line.at[e] = cc_add_products(a[cc_row_of(l, e)], b[cc_column_of(l, e)], fc->cc_line.at[e]);
    fd->cc_filled = true;
  }
}
template <class T, class S, class LayoutA, class LayoutB>
static inline void mma_sync(fragment<accumulator, 16, 16, 16, S> &d, const fragment<matrix_a, 16, 16, 16, T, LayoutA> &a,
                            const fragment<matrix_b, 16, 16, 16, T, LayoutB> &b, const fragment<accumulator, 16, 16, 16, S> &c, CC_HERE) {
  static_assert(std::is_same<decltype(cc_wide(T())), S>::value, "tensor cores have no such product, or the executor does not know it");
  CcMatrixCall call = {cc_multiply<T, S, LayoutA, LayoutB>, &a, &b, &c, &d, cc_file, cc_line};
  cc_warp(CC_FRAGMENTS, ~0u, (uint64_t)&call, 0, 32, cc_file, cc_line);
}
}  // namespace wmma
}  // namespace nvcuda
