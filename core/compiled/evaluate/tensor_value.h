#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpwalk::compiled {

/// A value of a Triton program in one block of the grid: a number, a pointer, a tensor of them, or a place in shared
/// memory.
struct TensorValue {
  std::vector<std::int64_t> shape;  ///< empty: a single value
  bool known = false;               ///< false: it depends on what is not evaluated
  bool floating = false;
  std::vector<std::int64_t> numbers;  ///< whole numbers and addresses, by row-major element
  std::vector<double> reals;          ///< if `floating`
  /// By element: not 0 for those that are not known, as a load's outside of its mask; empty: all are.
  std::vector<std::uint8_t> undefined;
  std::int32_t allocation = -1;  ///< shared memory: the operation that allocates it; -1: not shared memory
  std::int64_t buffer = 0;       ///< and which of its buffers
  bool transposed = false;       ///< of shared memory of two dimensions

  bool is_undefined(std::size_t element) const { return element < undefined.size() && undefined[element] != 0; }
  std::size_t size() const { return floating ? reals.size() : numbers.size(); }
};

/// Bits of a number type as written ("i32", "f16", "!tt.ptr<f32>"); 0: not known.
int mlir_bits(std::string_view type);
/// What a pointer type points to ("f32" of "!tt.ptr<f32, 1>"); empty for other types.
std::string_view mlir_pointee(std::string_view type);
/// Whether a type is a floating-point number whose values can be read.
bool mlir_is_readable_float(std::string_view type);

/// The number in the first bytes of `bytes`, which has 8: of a readable float, or a whole number with its sign.
double read_real(std::string_view type, std::uint64_t bytes);
std::int64_t read_number(int bits, std::uint64_t bytes);
/// The bits of a real that is rounded to a readable type.
std::uint64_t real_bits(std::string_view type, double value);

}  // namespace warpwalk::compiled
