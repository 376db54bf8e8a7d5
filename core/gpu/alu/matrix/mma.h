#pragma once

// This folder computes products of matrices, as tensor cores do, and dot products. Their timing is in core/gpu/timing.

#include <utility>

#include "core/base/result.h"
#include "core/ptx/instruction.h"

namespace warpwalk::gpu {

/// The registers of one mma in all 32 lanes. d[r], a[r], b[r] and c[r] point to the 32 contiguous values of register r
/// of the fragment, 4 bytes each (8 for f64). d may use the same registers as c.
struct MmaCall {
  void* const* d = nullptr;
  const void* const* a = nullptr;
  const void* const* b = nullptr;
  const void* const* c = nullptr;
};

/// How one mma.sync is computed: D = A B + C on the fragments of PTX ISA 9.0, "Matrix multiply-accumulate operation
/// using mma instruction". Integers wrap or are clamped (.satfinite). f64 sums are chains of fma in the order of k.
/// Other types are summed like the tensor cores of compute capability 9.0 (mma_float.h).
struct Mma {
  void (*run)(const Mma&, const MmaCall&) = nullptr;
  int m = 0, n = 0, k = 0;
  int a_registers = 0, b_registers = 0, c_registers = 0, d_registers = 0;
  int register_bytes = 4;
  ptx::Type d_type = ptx::Type::none, a_type = ptx::Type::none, b_type = ptx::Type::none, c_type = ptx::Type::none;
  bool satfinite = false;
  bool by_xor = false;        ///< of bits: counts those in which a and b differ, instead of those that both have
  bool a_by_columns = false;  ///< the columns of a are contiguous; of m8n8k4 on f16 only
  bool b_by_rows = false;     ///< the rows of b are contiguous
  ptx::Rounding rounding = ptx::Rounding::rn;  ///< of f64
};

/// Finds the computation for an mma instruction, or returns text that says why there is none.
base::Result<Mma> find_mma(const ptx::Instruction& instruction);

/// Same for wmma.mma. An f16 fragment has 8 registers for every shape. Here the first a_registers (b_registers) of them
/// hold the matrix.
base::Result<Mma> find_wmma(const ptx::Instruction& instruction);

/// The layout of a matrix of wmma.load or wmma.store.
struct WmmaMatrix {
  char matrix = 'a';  ///< 'a', 'b' or 'c' (D has the layout of C)
  int m = 0, n = 0;   ///< the shape
  int rows = 0, columns = 0;
  int element_bytes = 0, elements_per_register = 1;
  int registers = 0;  ///< registers per lane that hold the matrix; for f16 fewer than the instruction lists
};
WmmaMatrix wmma_matrix(const ptx::Instruction& instruction, char matrix);

/// Row and column of element i of register r of a lane. The PTX manual does not specify this; see alu/mma_fragment.h.
std::pair<int, int> element_position(const WmmaMatrix& matrix, int lane, int r, int i);

}  // namespace warpwalk::gpu
