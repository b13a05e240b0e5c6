// The PTX instructions that generated code has in `asm`, of which the rewriter makes calls: `cc_asm_NAME(FORM, outputs...,
// inputs...)`, with the dots of the name as underscores. FORM is the rest of the text, the constraints and the clobbers
// without blanks; there is one that each function knows.
//
// Note [Matrices in lanes]: the manual of PTX says which lane has what ("Matrix fragments for mma.m16n8k16", "ldmatrix").
// Of 8 x 8 elements of 16 bits lane l has two neighbours in row l / 4, from column l % 4 * 2 on, in one word, the first of
// them in the lower half. Lane 8 i + r says where row r of the i-th of four such matrices lies, 16 bytes, and reads it here.
#pragma once
#include "products.h"
#include "small_float.h"
#include "warp.h"

extern "C" size_t cc_shared_address(const void *p, const char *file, int line);

static inline size_t __cvta_generic_to_shared(const void *p, CC_HERE) { return cc_shared_address(p, cc_file, cc_line); }

struct alignas(16) CcRow {
  uint16_t at[8];
};
static inline void cc_check_form(const char *form, const char *known, const char *file, int line) {
  if (strcmp(form, known)) cc_reject("an instruction in `asm` has other operands than the executor knows", file, line);
}

template <bool TURNED> CC_UNWATCHED void cc_exchange_rows(CcMatrixCall *const *lanes) {
  for (int l = 0; l < 32; l++)
    for (int i = 0; i < 4; i++) {
      uint32_t word = 0;
      for (int k = 0; k < 2; k++) {
        const int row = TURNED ? l % 4 * 2 + k : l / 4, column = TURNED ? l / 4 : l % 4 * 2 + k;
        word |= (uint32_t)((const CcRow *)lanes[8 * i + row]->a)->at[column] << 16 * k;
      }
      ((uint32_t *)lanes[l]->d)[i] = word;
    }
}
template <bool TURNED>
static inline void cc_load_matrices(uint32_t &a, uint32_t &b, uint32_t &c, uint32_t &d, size_t at, const char *file, int line) {
  if (at % 16) cc_reject("a row of ldmatrix does not begin at a multiple of 16 bytes", file, line);
  const CcRow own = *(const CcRow *)at;
  uint32_t words[4];
  CcMatrixCall call = {cc_exchange_rows<TURNED>, &own, nullptr, nullptr, words, file, line};
  cc_warp(CC_ROWS, ~0u, (uint64_t)&call, 0, 32, file, line);
  a = words[0], b = words[1], c = words[2], d = words[3];
}
#define CC_LOAD_MATRICES(NAME, TURNED)                                                                                  \
  static inline void NAME(const char *form, uint32_t &a, uint32_t &b, uint32_t &c, uint32_t &d, size_t at, CC_HERE) {    \
    cc_check_form(form, "{%0,%1,%2,%3},[%4];=r=r=r=r:l:memory", cc_file, cc_line);                                      \
    cc_load_matrices<TURNED>(a, b, c, d, at, cc_file, cc_line);                                                         \
  }
CC_LOAD_MATRICES(cc_asm_ldmatrix_sync_aligned_m8n8_x4_shared_b16, false)
CC_LOAD_MATRICES(cc_asm_ldmatrix_sync_aligned_m8n8_x4_trans_shared_b16, true)
#undef CC_LOAD_MATRICES

// 16 x 16 of the one factor in four matrices (upper and lower rows, then those of the last eight columns), 16 x 8 of the
// other in two whose rows are its columns, 16 x 8 sums: two neighbours of row l / 4, and two of eight rows below.
template <int E, int F> CC_UNWATCHED void cc_multiply_matrices(CcMatrixCall *const *lanes) {
  float a[16][16], b[8][16];  // rows of the one, columns of the other
  for (int l = 0; l < 32; l++)
    for (int k = 0; k < 2; k++) {
      const int column = l % 4 * 2 + k;
      const auto *of_a = (const uint16_t *)lanes[l]->a + k, *of_b = (const uint16_t *)lanes[l]->b + k;
      for (int i = 0; i < 4; i++) a[l / 4 + i % 2 * 8][column + i / 2 * 8] = cc_small_to_float<E, F>(of_a[2 * i]);
      for (int i = 0; i < 2; i++) b[l / 4][column + i * 8] = cc_small_to_float<E, F>(of_b[2 * i]);
    }
  for (int l = 0; l < 32; l++)
    for (int i = 0; i < 4; i++) {
      float &sum = ((float *)lanes[l]->d)[i];
      sum = cc_add_products(a[l / 4 + i / 2 * 8], b[l % 4 * 2 + i % 2], sum);
    }
}
// The same for floats of tf32, which have four columns in a matrix.
CC_UNWATCHED static float cc_tf32_to_float(uint32_t word) {
  word &= ~0x1fffu;  // the rest is not looked at
  float value;
  __builtin_memcpy(&value, &word, 4);
  return value;
}
CC_UNWATCHED static void cc_multiply_tf32(CcMatrixCall *const *lanes) {
  float a[16][8], b[8][8];
  for (int l = 0; l < 32; l++) {
    const auto *of_a = (const uint32_t *)lanes[l]->a, *of_b = (const uint32_t *)lanes[l]->b;
    for (int i = 0; i < 4; i++) a[l / 4 + i % 2 * 8][l % 4 + i / 2 * 4] = cc_tf32_to_float(of_a[i]);
    for (int i = 0; i < 2; i++) b[l / 4][l % 4 + i * 4] = cc_tf32_to_float(of_b[i]);
  }
  for (int l = 0; l < 32; l++)
    for (int i = 0; i < 4; i++) {
      float &sum = ((float *)lanes[l]->d)[i];
      sum = cc_add_exact<8, 4>(a[l / 4 + i / 2 * 8], b[l % 4 * 2 + i % 2], sum);
    }
}
// To nearest, ties away from zero.
static inline void cc_asm_cvt_rna_tf32_f32(const char *form, uint32_t &to, float from, CC_HERE) {
  cc_check_form(form, "%0,%1;=r:f:", cc_file, cc_line);
  const uint32_t bits = (uint32_t)cc_to_bits(from);
  to = from != from ? 0x7fffffff : (bits + 0x1000) & ~0x1fffu;
}
#define CC_MULTIPLY_MATRICES(NAME, WORK)                                                                                \
  static inline void NAME(const char *form, float &s0, float &s1, float &s2, float &s3, uint32_t a0, uint32_t a1,       \
                          uint32_t a2, uint32_t a3, uint32_t b0, uint32_t b1, CC_HERE) {                                \
    cc_check_form(form, "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};+f+f+f+f:rrrrrr:", cc_file, cc_line);        \
    const uint32_t a[4] = {a0, a1, a2, a3}, b[2] = {b0, b1};                                                            \
    float sums[4] = {s0, s1, s2, s3};                                                                                   \
    CcMatrixCall call = {WORK, a, b, nullptr, sums, cc_file, cc_line};                                                  \
    cc_warp(CC_FRAGMENTS, ~0u, (uint64_t)&call, 0, 32, cc_file, cc_line);                                               \
    s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3];                                                             \
  }
CC_MULTIPLY_MATRICES(cc_asm_mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32, (cc_multiply_matrices<5, 10>))
CC_MULTIPLY_MATRICES(cc_asm_mma_sync_aligned_m16n8k16_row_col_f32_bf16_bf16_f32, (cc_multiply_matrices<8, 7>))
CC_MULTIPLY_MATRICES(cc_asm_mma_sync_aligned_m16n8k8_row_col_f32_tf32_tf32_f32, cc_multiply_tf32)
#undef CC_MULTIPLY_MATRICES
