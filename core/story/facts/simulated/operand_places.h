#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "core/story/facts/simulated/followed_number.h"

namespace warpwalk::story {

/// The elements of a product's a, b and c by their addresses in the launch that was run again. Where a and b begin
/// follows from the loads of the followed number: its row of a and its column of b.
class OperandPlaces {
 public:
  /// `number` needs a product; without one no address has a name.
  OperandPlaces(const FollowedNumber& number, const run::NumberTrail& trail);

  /// The address of a[row, k] (operand 0) or b[k, column] (operand 1) of the followed number; nullopt if not found.
  std::optional<std::uint64_t> factor(std::size_t operand, std::int64_t k) const;
  /// Which matrix an address is in, "a", "b" or "c", and its element; nullopt if it is in none of them.
  struct Element {
    char matrix = 'a';
    std::int64_t row = 0, column = 0;
    /// "a[1, 31]"
    std::string name() const;
  };
  std::optional<Element> element_at(std::uint64_t address) const;

 private:
  struct Matrix {
    char name = 'a';
    std::optional<std::uint64_t> begin;
    std::int64_t rows = 0, columns = 0;
  };
  std::array<Matrix, 3> matrices_;  // a, b, c
  ElementIndex at_;
  std::uint64_t element_ = 4;  // bytes
};

}  // namespace warpwalk::story
