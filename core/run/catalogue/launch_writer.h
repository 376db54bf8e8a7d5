#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/catalogue/plan.h"

namespace warpwalk::run {

/// The maximum number of elements that a kernel can index: its int indices go up to 1,024 threads past the last
/// element.
constexpr std::int64_t max_elements = (std::int64_t{1} << 31) - 1024;

/// The dimensions that several tensors share, innermost first, as in Layout of kernels/elements.cuh. Dimensions of size
/// 1 are dropped. Neighbouring dimensions are merged if they are contiguous in all tensors.
struct CommonLayout {
  std::vector<std::int64_t> sizes;
  std::vector<std::vector<std::int64_t>> strides;  ///< by tensor, then dimension

  std::int64_t count() const;
  /// True if element i is at offset i in every tensor.
  bool without_gaps() const;
  /// The bytes of the struct Layout<tensors> of kernels/elements.cuh.
  std::vector<std::uint8_t> bytes() const;
};
/// `strides`: the strides of each tensor, one per dimension of `sizes`, outermost first.
CommonLayout common_layout(const ops::Sizes& sizes, std::span<const ops::Sizes> strides);

/// Builds a PlannedLaunch.
class LaunchWriter {
 public:
  LaunchWriter(std::string module, std::string entry, std::string why);
  LaunchWriter& operand(std::size_t row);
  LaunchWriter& i32(std::int64_t value);  ///< within an int's range
  LaunchWriter& i64(std::int64_t value);
  /// Adds a scalar of this type; its value is the low bytes of `bits`.
  LaunchWriter& scalar(ops::DType dtype, std::uint64_t bits);
  LaunchWriter& structure(std::vector<std::uint8_t> bytes);
  /// Finishes with one thread per element, in blocks of `threads`.
  PlannedLaunch over(std::int64_t elements, std::uint32_t threads = 256);
  PlannedLaunch with(std::array<std::uint32_t, 3> grid, std::array<std::uint32_t, 3> block);

 private:
  PlannedLaunch launch_;
};

/// Threads per block if a block processes `elements` elements, at least four per thread: whole warps, 32 to `limit`.
std::uint32_t threads_for(std::int64_t elements, std::uint32_t limit);
std::int64_t divided_up(std::int64_t a, std::int64_t b);

/// The type in which kernels/elements.cuh computes elements of a dtype; scalar arguments are passed in it.
ops::DType computed_in(ops::DType dtype);
/// The bits of a Python number in this type: floats are rounded, integers wrap around.
std::uint64_t number_bits(ops::DType dtype, double number);

/// The bits of a Python number as an element, converted via the type that the dtype is computed in. Returns nullopt if
/// the type cannot represent the value.
std::optional<std::uint64_t> element_bits(ops::DType dtype, double number);

}  // namespace warpwalk::run
