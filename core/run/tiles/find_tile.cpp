#include "core/run/tiles/find_tile.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <set>

namespace warpwalk::run {
namespace {

using compiled::LinearLayout;
using compiled::TensorValue;

constexpr std::uint64_t warp_lanes = 32;
/// Different values that a warp's part of a tile must have, so that finding it says something.
constexpr std::size_t min_different_values = 8;
/// Largest difference, relative to the value and to the root mean square of all: the compiler contracts, approximates
/// and reorders.
constexpr double relative_tolerance = 2e-5, rms_tolerance = 2e-4;
/// Buffers in shared memory begin at multiples of this.
constexpr std::uint64_t shared_alignment = 16;

class RegisterSearch {
 public:
  RegisterSearch(const TileName& name, const TensorValue& value)
      : name_(name), value_(value), bits_(compiled::mlir_bits(name.element)) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < value.reals.size(); ++i)
      if (!value.is_undefined(i) && std::isfinite(value.reals[i])) {
        sum += value.reals[i] * value.reals[i];
        ++count;
      }
    rms_ = count == 0 ? 0 : std::sqrt(sum / static_cast<double>(count));
  }

  int bits() const { return bits_; }

  /// Whether the low bits of a register hold an element.
  bool holds(std::uint64_t bits, std::size_t element) const {
    const std::size_t at = value_.size() == 1 ? 0 : element;
    if (value_.is_undefined(at)) return true;
    if (!value_.floating) {
      const std::uint64_t mask = bits_ >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits_) - 1;
      return ((bits ^ static_cast<std::uint64_t>(value_.numbers[at])) & mask) == 0;
    }
    const double expected = value_.reals[at], has = compiled::read_real(name_.element, bits);
    if (std::isnan(expected) || std::isinf(expected)) return std::isnan(expected) ? std::isnan(has) : has == expected;
    const double step = bits_ == 16 ? 8e-3 : 0;  // a rounding of 16 bits that falls the other way
    return std::abs(has - expected) <= std::max(relative_tolerance, step) * std::abs(expected) + rms_tolerance * rms_;
  }

  /// How much the values of these elements differ: how many different ones there are.
  std::size_t different(const std::vector<std::uint64_t>& elements) const {
    std::set<std::int64_t> all;
    for (const std::uint64_t element : elements) {
      if (value_.is_undefined(element)) continue;
      all.insert(value_.floating ? static_cast<std::int64_t>(compiled::real_bits(name_.element, value_.reals[element]))
                                 : value_.numbers[element]);
      if (all.size() >= min_different_values) break;
    }
    return all.size();
  }

  /// Whether a single value is so special that it is not in a register by chance.
  bool is_distinct_single() const {
    if (value_.size() != 1 || value_.is_undefined(0)) return false;
    if (name_.element == "f32")
      return (compiled::real_bits("f32", value_.reals[0]) & 0xfff) != 0 && std::isfinite(value_.reals[0]);
    return !value_.floating && bits_ >= 32 && std::abs(value_.numbers[0]) > 0xffff;
  }

 private:
  const TileName& name_;
  const TensorValue& value_;
  int bits_;
  double rms_ = 0;
};

/// The bits of one lane in the nth part of a register, or in a pair of registers.
std::uint64_t lane_bits(const WarpRegisters& warp, std::size_t row, std::uint64_t lane, int bits, std::uint64_t part) {
  const std::uint64_t low = warp.rows[row].lanes[lane];
  if (bits >= 64) return low | std::uint64_t{warp.rows[row + 1].lanes[lane]} << 32;
  return low >> (part * static_cast<std::uint64_t>(bits));
}

/// Whether a row can hold a value: one of 64 bits needs the next row of the same instruction, too.
bool is_complete(const WarpRegisters& warp, std::size_t row, int bits) {
  return bits < 64 || (row + 1 < warp.rows.size() && warp.rows[row].instruction == warp.rows[row + 1].instruction &&
                       warp.rows[row].occurrence == warp.rows[row + 1].occurrence);
}

FoundTile find_by_layout(const RegisterSearch& search, const LinearLayout& layout,
                         const std::vector<const WarpRegisters*>& warps, std::uint32_t focus) {
  FoundTile tile;
  tile.layout = layout;
  const std::uint64_t registers = layout.size(LinearLayout::registers);
  const compiled::LayoutPlace copies = layout.copy_bits();
  const std::uint64_t per_row = search.bits() < 32 ? static_cast<std::uint64_t>(32 / search.bits()) : 1;
  std::vector<std::uint64_t> kept;  // registers that are no copies of others
  for (std::uint64_t reg = 0; reg < registers; ++reg)
    if ((reg & copies.reg) == 0) kept.push_back(reg);
  bool focus_whole = false, focus_differs = false;
  for (const WarpRegisters* const of : warps) {
    const WarpRegisters& warp = *of;
    if (warp.warp >= tile.rows.size()) tile.rows.resize(warp.warp + 1);
    std::vector<std::int32_t>& rows = tile.rows[warp.warp];
    rows.assign(registers, -1);
    std::uint64_t equal = 0;
    std::vector<std::uint64_t> elements;
    for (std::size_t k = 0; k < kept.size(); k += per_row) {
      // The elements of a register, low bits first.
      const std::size_t end = std::min<std::size_t>(kept.size(), k + per_row);
      const auto is_here = [&](std::size_t row) {
        for (std::uint64_t lane = 0; lane < warp_lanes; ++lane)
          for (std::size_t part = k; part < end; ++part)
            if (!search.holds(lane_bits(warp, row, lane, search.bits(), part - k),
                              layout.element({kept[part], lane, warp.warp, 0})))
              return false;
        return true;
      };
      for (std::uint64_t lane = 0; warp.warp == focus && lane < warp_lanes; ++lane)
        for (std::size_t part = k; part < end; ++part)
          elements.push_back(layout.element({kept[part], lane, warp.warp, 0}));
      for (std::size_t row = 0; row < warp.rows.size(); ++row)
        if (is_complete(warp, row, search.bits()) && is_here(row)) {
          for (std::size_t part = k; part < end; ++part) rows[kept[part]] = static_cast<std::int32_t>(row);
          equal += (end - k) * warp_lanes;
          break;
        }
    }
    for (std::uint64_t reg = 0; reg < registers; ++reg) rows[reg] = rows[reg & ~copies.reg];
    const std::uint64_t all = kept.size() * warp_lanes;
    tile.compared += all;
    tile.equal += equal;
    if (warp.warp != focus) continue;
    focus_whole = equal == all;
    focus_differs = search.different(elements) >= std::min<std::size_t>(min_different_values, layout.elements());
    if (!focus_whole) break;  // this layout is not the one
  }
  if (focus_whole && focus_differs && layout.elements() > 1)
    tile.where = FoundTile::Where::registers;
  else
    tile.reason =
        !focus_whole ? "no registers of the warp hold its values" : "its values are too alike to be looked for";
  return tile;
}

}  // namespace

FoundTile find_in_registers(const TileName& name, const TensorValue& value, std::span<const LinearLayout> layouts,
                            std::span<const WarpRegisters> warps, std::uint32_t focus) {
  FoundTile none;
  const RegisterSearch search(name, value);
  std::size_t elements = 1;
  for (const std::int64_t size : name.shape) elements *= static_cast<std::size_t>(std::max<std::int64_t>(0, size));
  if (!value.known || value.allocation >= 0 || value.size() != elements) {
    none.reason = "its value is not known";
    return none;
  }
  if (search.bits() < 8) {
    none.reason = "truth values are in no registers of their own";
    return none;
  }
  // The warp in focus first: without its part, the others are not searched.
  std::vector<const WarpRegisters*> ordered;
  for (const WarpRegisters& warp : warps) ordered.push_back(&warp);
  std::ranges::stable_partition(ordered, [&](const WarpRegisters* warp) { return warp->warp == focus; });
  if (name.shape.empty()) {
    if (!search.is_distinct_single()) {
      none.reason = "a single value like this can be in a register by chance";
      return none;
    }
    LinearLayout single;  // all lanes of all warps have it
    FoundTile tile;
    for (const WarpRegisters* const of : ordered) {
      const WarpRegisters& warp = *of;
      if (warp.warp >= tile.rows.size()) tile.rows.resize(warp.warp + 1, {-1});
      tile.compared += warp_lanes;
      for (std::size_t row = 0; row < warp.rows.size() && tile.rows[warp.warp][0] < 0; ++row) {
        bool here = is_complete(warp, row, search.bits());
        for (std::uint64_t lane = 0; lane < warp_lanes && here; ++lane)
          here = search.holds(lane_bits(warp, row, lane, search.bits(), 0), 0);
        if (!here) continue;
        tile.rows[warp.warp][0] = static_cast<std::int32_t>(row);
        tile.equal += warp_lanes;
      }
      if (warp.warp == focus && tile.equal == 0) break;
    }
    tile.layout = single;
    if (focus < tile.rows.size() && tile.rows[focus][0] >= 0)
      tile.where = FoundTile::Where::registers;
    else
      tile.reason = "no register of the warp holds it in all lanes";
    return tile;
  }
  if (layouts.empty()) {
    none.reason = "the TTGIR has no tensor with its place and type";
    return none;
  }
  for (const LinearLayout& layout : layouts) {
    FoundTile tile = find_by_layout(search, layout, ordered, focus);
    if (tile.where == FoundTile::Where::registers) return tile;
    none = std::move(tile);
  }
  return none;
}

FoundTile find_in_shared(const TileName& name, const TensorValue& value, std::span<const LinearLayout> layouts,
                         std::span<const std::uint8_t> shared) {
  FoundTile tile;
  const auto bytes = static_cast<std::uint64_t>(compiled::mlir_bits(name.element)) / 8;
  if (!value.known || bytes == 0 || value.size() < min_different_values) return tile;
  for (const LinearLayout& layout : layouts) {
    const std::uint64_t offsets = layout.size(LinearLayout::registers);
    if (layout.elements() != value.size() || offsets * bytes > shared.size()) continue;
    struct Byte {
      std::uint64_t offset = 0, bits = 0;
    };
    std::vector<Byte> expected;
    std::set<std::uint64_t> different;
    for (std::uint64_t offset = 0; offset < offsets; ++offset) {
      const std::uint64_t element = layout.element({offset, 0, 0, 0});
      if (value.is_undefined(element)) continue;
      std::uint64_t bits = value.floating ? compiled::real_bits(name.element, value.reals[element])
                                          : static_cast<std::uint64_t>(value.numbers[element]);
      if (bytes < 8) bits &= (std::uint64_t{1} << (8 * bytes)) - 1;
      expected.push_back({offset * bytes, bits});
      if (different.size() < min_different_values) different.insert(bits);
    }
    if (different.size() < min_different_values) continue;
    for (std::uint64_t begin = 0; begin + offsets * bytes <= shared.size(); begin += shared_alignment) {
      const bool here = std::ranges::all_of(expected, [&](const Byte& one) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, shared.data() + begin + one.offset, bytes);
        return bits == one.bits;
      });
      if (!here) continue;
      tile.where = FoundTile::Where::shared;
      tile.compared = tile.equal = expected.size();
      tile.layout = layout;
      tile.shared_begin = begin;
      return tile;
    }
  }
  return tile;
}

std::optional<ElementRegister> register_of(const FoundTile& tile, std::span<const WarpRegisters> warps,
                                           std::uint64_t element) {
  if (tile.where != FoundTile::Where::registers) return {};
  const auto named = [&](std::uint64_t warp, std::uint64_t reg, std::uint64_t lane) -> std::optional<ElementRegister> {
    if (warp >= tile.rows.size() || reg >= tile.rows[warp].size() || tile.rows[warp][reg] < 0) return {};
    for (const WarpRegisters& of : warps)
      if (of.warp == warp)
        return ElementRegister{&of.rows[static_cast<std::size_t>(tile.rows[warp][reg])],
                               static_cast<std::uint32_t>(warp), static_cast<int>(lane)};
    return {};
  };
  if (tile.layout.shape.empty()) {
    for (std::size_t warp = 0; warp < tile.rows.size(); ++warp)
      if (auto found = named(warp, 0, 0)) return found;
    return {};
  }
  for (const compiled::LayoutPlace& place : tile.layout.places_of(element))
    if (auto found = named(place.warp, place.reg, place.lane)) return found;
  return {};
}

}  // namespace warpwalk::run
