#pragma once

#include <cstddef>
#include <vector>

namespace warpwalk::simulated::libraries {

/// Rows and columns that panels have a multiple of.
inline constexpr std::size_t panel_rows = 16, panel_columns = 4;

/// A panel of A or of B: for each k, `width` elements that follow one another.
template <class Real>
struct HostPanel {
  std::size_t width = 0;
  std::vector<Real> elements;
};

/// sums[column * a.width + row] = the sum over k of a(row, k) * b(k, column), in the order of k.
void multiply_panels(const HostPanel<float>& a, const HostPanel<float>& b, std::size_t k, std::vector<float>& sums);
void multiply_panels(const HostPanel<double>& a, const HostPanel<double>& b, std::size_t k, std::vector<double>& sums);

}  // namespace warpwalk::simulated::libraries
