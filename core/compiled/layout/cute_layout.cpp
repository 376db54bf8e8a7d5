#include "core/compiled/layout/cute_layout.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace warpwalk::compiled {
namespace {

constexpr std::int64_t max_cute_number = std::int64_t{1} << 31;
constexpr int max_cute_depth = 8;
constexpr std::size_t max_cute_modes = 16;

/// A nested tuple of numbers: a number, or a list of tuples.
struct CuteTuple {
  std::int64_t value = 0;
  bool leaf = true;
  std::vector<CuteTuple> parts;
};

/// Reads at the start of `text`, and takes away what it has read.
class CuteReader {
 public:
  explicit CuteReader(std::string_view text) : text_(text) {}

  void skip_space() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_[0])) != 0) text_.remove_prefix(1);
  }
  bool take(std::string_view word) {
    skip_space();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  std::optional<std::int64_t> number() {
    take("_");  // a static number: _4
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (problem != std::errc() || value < 0 || value > max_cute_number) return std::nullopt;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return value;
  }
  bool tuple(CuteTuple& to, int depth = 0) {
    if (!take("(")) {
      const auto value = number();
      if (value) to.value = *value;
      return value.has_value();
    }
    if (depth == max_cute_depth) return false;
    to.leaf = false;
    while (!take(")")) {
      if (!to.parts.empty() && !take(",")) return false;
      if (to.parts.size() == max_cute_modes || !tuple(to.parts.emplace_back(), depth + 1)) return false;
    }
    return true;
  }
  bool at_end() {
    skip_space();
    return text_.empty();
  }
  /// Skips a pointer or an offset of 0 between a swizzle and its layout: "smem_ptr[16b](unset) o", "0 o".
  void skip_to_layout() {
    const std::size_t last = text_.rfind(" o ");
    if (last != std::string_view::npos) text_.remove_prefix(last + 3);
  }
  std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
};

bool flatten(const CuteTuple& sizes, const CuteTuple& strides, CuteLayout::Mode& to) {
  if (sizes.leaf != strides.leaf || sizes.parts.size() != strides.parts.size()) return false;
  if (sizes.leaf) {
    to.sizes.push_back(sizes.value);
    to.strides.push_back(strides.value);
    return sizes.value > 0 && to.sizes.size() <= max_cute_modes;
  }
  for (std::size_t i = 0; i < sizes.parts.size(); ++i)
    if (!flatten(sizes.parts[i], strides.parts[i], to)) return false;
  return true;
}

}  // namespace

std::int64_t CuteLayout::Mode::size() const {
  std::int64_t all = 1;
  for (const std::int64_t one : sizes) all *= one;
  return all;
}

std::int64_t CuteLayout::Mode::offset(std::int64_t i) const {
  std::int64_t sum = 0;
  for (std::size_t part = 0; part < sizes.size(); ++part) {
    sum += i % sizes[part] * strides[part];
    i /= sizes[part];
  }
  return sum;
}

std::vector<std::int64_t> CuteLayout::shape() const {
  std::vector<std::int64_t> all;
  for (const Mode& mode : modes) all.push_back(mode.size());
  return all;
}

std::int64_t CuteLayout::elements() const {
  std::int64_t all = 1;
  for (const Mode& mode : modes) all *= mode.size();
  return all;
}

std::int64_t CuteLayout::cosize() const {
  std::int64_t last = 0;
  for (const Mode& mode : modes)
    for (std::size_t part = 0; part < mode.sizes.size(); ++part) last += (mode.sizes[part] - 1) * mode.strides[part];
  if (bits > 0) last |= ((std::int64_t{1} << bits) - 1) << base;  // a swizzle may set these bits
  return last + 1;
}

std::int64_t CuteLayout::offset(const std::vector<std::int64_t>& at) const {
  std::int64_t sum = 0;
  for (std::size_t mode = 0; mode < modes.size() && mode < at.size(); ++mode) sum += modes[mode].offset(at[mode]);
  const std::int64_t mask = ((std::int64_t{1} << bits) - 1) << base;
  if (shift >= 0) return sum ^ ((sum >> shift) & mask);
  return sum ^ ((sum & mask) << -shift);
}

base::Result<CuteLayout> parse_cute_layout(std::string_view text) {
  CuteLayout layout;
  CuteReader reader(text);
  for (const std::string_view name : {"Swizzle<", "Sw<", "S<"}) {
    if (!reader.take(name)) continue;
    const auto first = reader.number();
    const bool comma = reader.take(",");
    const auto second = reader.number();
    const bool other_comma = reader.take(",");
    const bool negative = reader.take("-");
    const auto third = reader.number();
    if (!first || !comma || !second || !other_comma || !third || !reader.take(">") || *first > 16 || *second > 24 ||
        *third > 20 || *third < *first)
      return base::Error{"the swizzle is not one of Swizzle<BITS,BASE,SHIFT>"};
    layout.bits = static_cast<int>(*first);
    layout.base = static_cast<int>(*second);
    layout.shift = static_cast<int>(negative ? -*third : *third);
    reader.skip_to_layout();
    break;
  }
  CuteTuple sizes, strides;
  if (!reader.tuple(sizes) || !reader.take(":") || !reader.tuple(strides) || !reader.at_end())
    return base::Error{"the layout is not SHAPE:STRIDE, as (4,(2,3)):(1,(8,2))"};
  if (sizes.leaf) {
    sizes = {0, false, {std::move(sizes)}};
    strides = {0, false, {std::move(strides)}};
  }
  bool same = sizes.parts.size() == strides.parts.size() && !sizes.parts.empty();
  double all = 1, last = 0;
  for (std::size_t i = 0; same && i < sizes.parts.size(); ++i) {
    CuteLayout::Mode mode;
    same = flatten(sizes.parts[i], strides.parts[i], mode);
    for (std::size_t part = 0; part < mode.sizes.size(); ++part) {
      all *= static_cast<double>(mode.sizes[part]);
      last += static_cast<double>(mode.sizes[part]) * static_cast<double>(mode.strides[part]);
    }
    layout.modes.push_back(std::move(mode));
  }
  if (!same) return base::Error{"shape and stride of the layout are not built alike"};
  if (all > static_cast<double>(max_cute_number) || last > 1e15) return base::Error{"the layout is too large"};
  return layout;
}

}  // namespace warpwalk::compiled
