#include "core/run/catalogue/launch_writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace warpwalk::run {
namespace {

template <class T>
void put(std::vector<std::uint8_t>& bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

}  // namespace

std::int64_t CommonLayout::count() const {
  std::int64_t product = 1;
  for (const std::int64_t size : sizes) product *= size;
  return product;
}

bool CommonLayout::without_gaps() const {
  return sizes.empty() ||
         (sizes.size() == 1 && std::ranges::all_of(strides, [](const auto& of) { return of.front() == 1; }));
}

std::vector<std::uint8_t> CommonLayout::bytes() const {
  constexpr std::size_t sizes_at = 4, strides_at = 40;  // int rank; int sizes[8]; four bytes of padding
  std::vector<std::uint8_t> bytes(strides_at + strides.size() * ops::max_dims * 8);
  put(bytes, 0, static_cast<std::int32_t>(sizes.size()));
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    put(bytes, sizes_at + 4 * d, static_cast<std::int32_t>(sizes[d]));
    for (std::size_t t = 0; t < strides.size(); ++t)
      put(bytes, strides_at + 8 * (ops::max_dims * t + d), strides[t][d]);
  }
  return bytes;
}

CommonLayout common_layout(const ops::Sizes& sizes, std::span<const ops::Sizes> strides) {
  CommonLayout layout;
  layout.strides.resize(strides.size());
  for (std::size_t outer = sizes.size(); outer-- > 0;) {
    if (sizes[outer] == 1) continue;
    bool joins = !layout.sizes.empty();
    for (std::size_t t = 0; t < strides.size() && joins; ++t)
      joins = strides[t][outer] == layout.strides[t].back() * layout.sizes.back();
    if (joins) {
      layout.sizes.back() *= sizes[outer];
      continue;
    }
    layout.sizes.push_back(sizes[outer]);
    for (std::size_t t = 0; t < strides.size(); ++t) layout.strides[t].push_back(strides[t][outer]);
  }
  return layout;
}

LaunchWriter::LaunchWriter(std::string module, std::string entry, std::string why) {
  launch_.module = std::move(module);
  launch_.entry = std::move(entry);
  launch_.why = std::move(why);
}

LaunchWriter& LaunchWriter::operand(std::size_t row) {
  launch_.arguments.push_back({static_cast<std::int32_t>(row), "", {}});
  return *this;
}

LaunchWriter& LaunchWriter::scalar(ops::DType dtype, std::uint64_t bits) {
  std::vector<std::uint8_t> bytes(ops::bytes_of(dtype));
  std::memcpy(bytes.data(), &bits, bytes.size());  // this machine is little-endian, see dtype.cpp
  launch_.arguments.push_back({-1, std::string(name_of(dtype)), std::move(bytes)});
  return *this;
}

LaunchWriter& LaunchWriter::i32(std::int64_t value) {
  return scalar(ops::DType::i32, static_cast<std::uint64_t>(value));
}

LaunchWriter& LaunchWriter::i64(std::int64_t value) {
  return scalar(ops::DType::i64, static_cast<std::uint64_t>(value));
}

LaunchWriter& LaunchWriter::structure(std::vector<std::uint8_t> bytes) {
  launch_.arguments.push_back({-1, "", std::move(bytes)});
  return *this;
}

PlannedLaunch LaunchWriter::over(std::int64_t elements, std::uint32_t threads) {
  return with({static_cast<std::uint32_t>(divided_up(elements, threads)), 1, 1}, {threads, 1, 1});
}

PlannedLaunch LaunchWriter::with(std::array<std::uint32_t, 3> grid, std::array<std::uint32_t, 3> block) {
  launch_.grid = grid;
  launch_.block = block;
  return std::move(launch_);
}

std::uint32_t threads_for(std::int64_t elements, std::uint32_t limit) {
  const std::int64_t warps = divided_up(divided_up(elements, 4), 32);
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(warps * 32, 32, limit));
}

std::int64_t divided_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

ops::DType computed_in(ops::DType dtype) {
  return dtype == ops::DType::f16 || dtype == ops::DType::bf16 ? ops::DType::f32 : dtype;
}

std::uint64_t number_bits(ops::DType dtype, double number) {
  if (is_float(dtype)) return ops::float_bits(dtype, number);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
}

std::optional<std::uint64_t> element_bits(ops::DType dtype, double number) {
  if (is_float(dtype)) {
    const ops::DType type = computed_in(dtype);
    const std::uint64_t bits = ops::float_bits(dtype, ops::float_value(type, ops::float_bits(type, number)));
    if (std::isfinite(number) && !std::isfinite(ops::float_value(dtype, bits))) return {};
    return bits;
  }
  const double beyond = std::ldexp(1.0, static_cast<int>(8 * ops::bytes_of(dtype)) - 1), whole = std::trunc(number);
  if (!(whole < beyond && whole >= -beyond)) return {};
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(whole));
}

}  // namespace warpwalk::run
