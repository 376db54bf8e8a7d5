#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/catalogue/plan.h"

namespace warpwalk::run {

/// The most elements that a kernel can number: its ints step up to 1,024 threads beyond the last element.
constexpr std::int64_t max_elements = (std::int64_t{1} << 31) - 1024;

/// Dimensions in which several tensors are visited together, the innermost first, as kernels/elements.cuh's Layout:
/// those of size 1 are left out, neighbours that are one run of memory in all tensors are joined.
struct CommonLayout {
  std::vector<std::int64_t> sizes;
  std::vector<std::vector<std::int64_t>> strides;  ///< by tensor, then dimension

  std::int64_t count() const;
  /// True if element i is at place i in every tensor.
  bool without_gaps() const;
  /// The struct Layout<tensors> of kernels/elements.cuh.
  std::vector<std::uint8_t> bytes() const;
};
/// `strides`: of each tensor, for every dimension of `sizes`, outermost first.
CommonLayout common_layout(const ops::Sizes& sizes, std::span<const ops::Sizes> strides);

/// A launch while it is written down.
class LaunchWriter {
 public:
  LaunchWriter(std::string module, std::string entry, std::string why);
  LaunchWriter& operand(std::size_t row);
  LaunchWriter& i32(std::int64_t value);  ///< within an int's range
  LaunchWriter& i64(std::int64_t value);
  /// The low bytes of `bits` as a scalar of this type.
  LaunchWriter& scalar(ops::DType dtype, std::uint64_t bits);
  LaunchWriter& structure(std::vector<std::uint8_t> bytes);
  /// Blocks of `threads`, enough of them for a thread an element.
  PlannedLaunch over(std::int64_t elements, std::uint32_t threads = 256);
  PlannedLaunch with(std::array<std::uint32_t, 3> grid, std::array<std::uint32_t, 3> block);

 private:
  PlannedLaunch launch_;
};

/// Threads of a block whose threads share `elements`, four each or more: whole warps, 32 to `most`.
std::uint32_t threads_for(std::int64_t elements, std::uint32_t most);
std::int64_t divided_up(std::int64_t a, std::int64_t b);

/// The type in which kernels/elements.cuh computes with a dtype, for numbers that come with a launch.
ops::DType computed_in(ops::DType dtype);
/// A Python number's bits in this type: floats rounded, integers wrapped.
std::uint64_t number_bits(ops::DType dtype, double number);

/// A Python number as an element: by way of what its type is computed in. Returns nullopt if the type has no such
/// value.
std::optional<std::uint64_t> element_bits(ops::DType dtype, double number);

}  // namespace warpwalk::run
