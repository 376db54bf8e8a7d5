// nvcuda::wmma, matrix products of a warp: warpwalk's own header for clang. The instructions wmma.load, wmma.mma and
// wmma.store decide which thread holds which element, so a fragment is only its registers.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}  // namespace precision

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment;

// Element is what x[] has, Count how many of them a thread has, Registers how many registers those are.
template <class Element, int Count, int Registers>
struct fragment_of {
  enum { num_elements = Count, num_storage_elements = Count, words = Registers };
  using element_type = Element;
  union {
    Element x[Count];
    unsigned int r[Registers];
  };
  WARPWALK_MEMBER fragment_of() {}
};

#include "warpwalk/wmma_shapes.h"

WARPWALK_DEVICE float __float_to_tf32(float v) {
  unsigned int r;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(v));
  return __uint_as_float(r);
}
template <class Fragment, class T>
WARPWALK_DEVICE void fill_fragment(Fragment& f, const T& v) {
  for (int i = 0; i < Fragment::num_elements; ++i) f.x[i] = v;
}

}  // namespace wmma
}  // namespace nvcuda
