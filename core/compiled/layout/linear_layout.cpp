#include "core/compiled/layout/linear_layout.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace warpwalk::compiled {
namespace {

std::uint64_t& input_of(LayoutPlace& place, std::size_t input) {
  std::uint64_t* const parts[] = {&place.reg, &place.lane, &place.warp, &place.block};
  return *parts[input];
}

/// A combination of bases: the element that it gives, and the bits of the place that it takes.
struct Combination {
  std::uint64_t element = 0;
  LayoutPlace bits;
  void add(const Combination& other) {
    element ^= other.element;
    bits.reg ^= other.bits.reg, bits.lane ^= other.bits.lane;
    bits.warp ^= other.bits.warp, bits.block ^= other.bits.block;
  }
};

/// The bases in echelon form: `leading` by highest bit of the element, and the combinations that give element 0.
struct Echelon {
  std::array<Combination, 64> leading;
  std::vector<Combination> zero;

  explicit Echelon(const LinearLayout& layout) {
    for (std::size_t input = 0; input < LinearLayout::input_count; ++input)
      for (std::size_t bit = 0; bit < layout.bases[input].size(); ++bit) {
        Combination next;
        next.element = layout.bases[input][bit];
        input_of(next.bits, input) = std::uint64_t{1} << bit;
        reduce(next);
        if (next.element == 0)
          zero.push_back(next);
        else
          leading[static_cast<std::size_t>(std::bit_width(next.element)) - 1] = next;
      }
  }
  void reduce(Combination& next) const {
    for (std::size_t bit = 64; bit-- > 0;)
      if ((next.element >> bit & 1) != 0 && leading[bit].element != 0) next.add(leading[bit]);
  }
};

std::uint64_t combined(const std::vector<std::uint64_t>& bases, std::uint64_t bits) {
  std::uint64_t element = 0;
  for (std::size_t bit = 0; bit < bases.size(); ++bit)
    if ((bits >> bit & 1) != 0) element ^= bases[bit];
  return element;
}

}  // namespace

std::uint64_t LinearLayout::elements() const {
  std::uint64_t all = 1;
  for (const std::int64_t size_of_dim : shape) all *= static_cast<std::uint64_t>(size_of_dim);
  return all;
}

std::uint64_t LinearLayout::places() const {
  std::size_t bits = 0;
  for (const auto& of_input : bases) bits += of_input.size();
  return std::uint64_t{1} << bits;
}

std::uint64_t LinearLayout::element(const LayoutPlace& place) const {
  return combined(bases[registers], place.reg) ^ combined(bases[lanes], place.lane) ^
         combined(bases[warps], place.warp) ^ combined(bases[blocks], place.block);
}

std::vector<std::int64_t> LinearLayout::coordinates(std::uint64_t element) const {
  std::vector<std::int64_t> at(shape.size());
  for (std::size_t dim = shape.size(); dim-- > 0;) {
    const auto size_of_dim = static_cast<std::uint64_t>(shape[dim]);
    at[dim] = static_cast<std::int64_t>(element % size_of_dim);
    element /= size_of_dim;
  }
  return at;
}

std::uint64_t LinearLayout::element_at(const std::vector<std::int64_t>& coordinates) const {
  std::uint64_t element = 0;
  for (std::size_t dim = 0; dim < shape.size() && dim < coordinates.size(); ++dim)
    element = element * static_cast<std::uint64_t>(shape[dim]) + static_cast<std::uint64_t>(coordinates[dim]);
  return element;
}

std::vector<LayoutPlace> LinearLayout::places_of(std::uint64_t element, std::size_t limit) const {
  const Echelon echelon(*this);
  Combination first;
  first.element = element;
  echelon.reduce(first);
  if (first.element != 0 || limit == 0) return {};
  std::vector<LayoutPlace> places{first.bits};
  // Each combination that gives element 0 doubles the places.
  for (const Combination& zero : echelon.zero) {
    for (std::size_t i = 0, known = places.size(); i < known && places.size() < limit; ++i) {
      const LayoutPlace& from = places[i];
      places.push_back({from.reg ^ zero.bits.reg, from.lane ^ zero.bits.lane, from.warp ^ zero.bits.warp,
                        from.block ^ zero.bits.block});
    }
  }
  std::ranges::sort(places, [](const LayoutPlace& a, const LayoutPlace& b) {
    return std::tie(a.block, a.warp, a.lane, a.reg) < std::tie(b.block, b.warp, b.lane, b.reg);
  });
  return places;
}

LayoutPlace LinearLayout::copy_bits() const {
  LayoutPlace bits;
  std::array<std::uint64_t, 64> leading{};
  for (std::size_t input = 0; input < input_count; ++input)
    for (std::size_t bit = 0; bit < bases[input].size(); ++bit) {
      std::uint64_t left = bases[input][bit];
      for (std::size_t i = 64; i-- > 0;)
        if ((left >> i & 1) != 0 && leading[i] != 0) left ^= leading[i];
      if (left == 0)
        input_of(bits, input) |= std::uint64_t{1} << bit;
      else
        leading[static_cast<std::size_t>(std::bit_width(left)) - 1] = left;
    }
  return bits;
}

bool LinearLayout::is_copy(const LayoutPlace& place) const {
  const LayoutPlace bits = copy_bits();
  return ((place.reg & bits.reg) | (place.lane & bits.lane) | (place.warp & bits.warp) | (place.block & bits.block)) !=
         0;
}

SharedPlace shared_place(std::uint64_t offset, std::uint32_t element_bits) {
  const std::uint64_t byte = offset * element_bits / 8;
  return {byte, byte / 128, static_cast<std::uint32_t>(byte / 4 % 32)};
}

}  // namespace warpwalk::compiled
