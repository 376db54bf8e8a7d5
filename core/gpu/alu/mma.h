#pragma once

#include <string>
#include <utility>
#include <variant>

#include "core/ptx/instruction.h"

namespace warpwalk::gpu {

/// The registers of one mma in all 32 lanes: d[r], a[r], b[r] and c[r] lead to the 32 contiguous values of register r
/// of the fragment, of 4 bytes (8 of f64). d's registers may be c's.
struct MmaCall {
  void* const* d = nullptr;
  const void* const* a = nullptr;
  const void* const* b = nullptr;
  const void* const* c = nullptr;
};

/// How one mma.sync is computed: D = A B + C on the fragments of PTX ISA 9.0, "Matrix multiply-accumulate operation
/// using mma instruction". Integers wrap or are clamped (.satfinite). f64 are chains of fma in the order of k. Others
/// are summed as tensor cores of compute capability 9.0 do it: see mma_float.h.
struct Mma {
  void (*run)(const Mma&, const MmaCall&) = nullptr;
  int m = 0, n = 0, k = 0;
  int a_registers = 0, b_registers = 0, c_registers = 0, d_registers = 0;
  int register_bytes = 4;
  ptx::Type d_type = ptx::Type::none, a_type = ptx::Type::none, b_type = ptx::Type::none, c_type = ptx::Type::none;
  bool satfinite = false;
};

/// The shape and types of an mma instruction; in words why it cannot be computed.
std::variant<Mma, std::string> find_mma(const ptx::Instruction& instruction);

/// The same of wmma.mma. A fragment of halves has 8 registers whatever the shape: the first a_registers (b_registers)
/// of them hold the matrix here.
std::variant<Mma, std::string> find_wmma(const ptx::Instruction& instruction);

/// A matrix of wmma.load or wmma.store.
struct WmmaMatrix {
  char matrix = 'a';  ///< 'a', 'b' or 'c' (D is kept as C)
  int m = 0, n = 0;   ///< of the shape
  int rows = 0, columns = 0;
  int element_bytes = 0, elements_per_register = 1;
  int registers = 0;  ///< that hold it in a lane: fewer than the instruction names where that is of halves
};
WmmaMatrix wmma_matrix(const ptx::Instruction& instruction, char matrix);

/// Row and column of element i of register r of a lane. The PTX manual leaves it open; see alu/mma_fragment.h.
std::pair<int, int> place_of(const WmmaMatrix& matrix, int lane, int r, int i);

}  // namespace warpwalk::gpu
