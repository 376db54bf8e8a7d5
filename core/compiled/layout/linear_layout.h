#pragma once

// This folder turns the layouts of Triton's and CuTe's tensors into tables of places: which element is in which
// register of which lane of which warp, or at which offset of shared memory. The rules are those of the paper "Linear
// Layouts" (Zhou et al., 2025) and of PTX's fragments.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpwalk::compiled {

/// Where an element of a tensor is. Of a layout of shared memory, `reg` is the offset in elements, and lane and warp
/// are 0.
struct LayoutPlace {
  std::uint64_t reg = 0, lane = 0, warp = 0, block = 0;
  friend bool operator==(const LayoutPlace&, const LayoutPlace&) = default;
};

/// A map from the bits of a place to an element, linear over bits: the element of a place is the XOR of the bases of
/// its bits.
struct LinearLayout {
  enum Input : std::uint8_t { registers, lanes, warps, blocks, input_count };

  std::vector<std::int64_t> shape;  ///< of the tensor, powers of two
  bool shared = false;              ///< Input::registers are offsets in shared memory
  /// By input and bit: the row-major number of an element.
  std::array<std::vector<std::uint64_t>, input_count> bases;

  std::uint64_t elements() const;
  /// Places along an input: 2 to the number of its bits.
  std::uint64_t size(Input input) const { return std::uint64_t{1} << bases[input].size(); }
  /// All places of the layout.
  std::uint64_t places() const;
  /// The row-major number of the element at a place. Bits beyond the layout's have no effect.
  std::uint64_t element(const LayoutPlace& place) const;
  std::vector<std::int64_t> coordinates(std::uint64_t element) const;
  std::uint64_t element_at(const std::vector<std::int64_t>& coordinates) const;
  /// The places that hold an element, at most `limit`, by ascending block, warp, lane and register; none if the layout
  /// leaves it out.
  std::vector<LayoutPlace> places_of(std::uint64_t element, std::size_t limit = 64) const;
  /// Whether a place holds a copy of an element that a lower place along the same inputs has too: one of its bits is
  /// set whose basis depends on those before it.
  bool is_copy(const LayoutPlace& place) const;

  /// The bits of a place that only make copies, as masks.
  LayoutPlace copy_bits() const;
};

/// An address in shared memory: bank and row of 32 banks of 4 bytes each.
struct SharedPlace {
  std::uint64_t byte = 0, row = 0;
  std::uint32_t bank = 0;
};
SharedPlace shared_place(std::uint64_t offset, std::uint32_t element_bits);

}  // namespace warpwalk::compiled
