#pragma once

#include <cstddef>
#include <vector>

namespace warpwalk::simulated::libraries {

/// Rows of the left matrix, and columns of the right one, that are multiplied at a time.
inline constexpr std::size_t strip_rows = 16, strip_columns = 4;

/// A block of a matrix in strips of `width` rows (or columns): element (i, k) of a strip is at k * width + i.
template <class Real>
struct HostStrips {
  std::size_t width = 1, depth = 0;
  std::vector<Real> elements;

  /// Makes zeros for `count` rows and `length` elements of each.
  void reset(std::size_t strip, std::size_t count, std::size_t length) {
    width = strip;
    depth = length;
    elements.assign((count + strip - 1) / strip * strip * length, Real(0));
  }
  /// Element 0 of a row; the next ones are `width` apart.
  Real* row(std::size_t i) { return elements.data() + i / width * width * depth + i % width; }
  const Real* strip(std::size_t i) const { return elements.data() + i * width * depth; }
  std::size_t strips() const { return elements.size() / (width * depth); }
};

/// sums[column * rows + row] += the product of both blocks, where `rows` is the left one's number of rows.
void multiply_strips(const HostStrips<float>& left, const HostStrips<float>& right, std::vector<float>& sums);
void multiply_strips(const HostStrips<double>& left, const HostStrips<double>& right, std::vector<double>& sums);

}  // namespace warpwalk::simulated::libraries
