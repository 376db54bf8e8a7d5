#include "instrumentation/simulated/libraries/cudnn/convolution/host_strips.h"

#include <array>
#include <cstring>

namespace warpwalk::simulated::libraries {
namespace {

/// Numbers that one instruction multiplies. Compilers split them for processors whose instructions take fewer.
template <class Real>
struct StripVector {
  using type __attribute__((vector_size(32))) = Real;
};

/// One strip of each matrix; the sums stay in registers.
template <class Real>
[[gnu::always_inline]] inline void multiply_two_strips(const Real* left, const Real* right, std::size_t depth,
                                                       Real* sums, std::size_t rows) {
  using Vector = typename StripVector<Real>::type;
  constexpr std::size_t vectors = strip_rows * sizeof(Real) / 32;
  std::array<std::array<Vector, vectors>, strip_columns> tile{};
  for (std::size_t k = 0; k < depth; ++k) {
    std::array<Vector, vectors> of_left;
    std::memcpy(of_left.data(), left + k * strip_rows, sizeof of_left);
    for (std::size_t j = 0; j < strip_columns; ++j) {
      const Real of_right = right[k * strip_columns + j];
      for (std::size_t i = 0; i < vectors; ++i) tile[j][i] += of_left[i] * of_right;
    }
  }
  for (std::size_t j = 0; j < strip_columns; ++j) {
    std::array<Real, strip_rows> column;
    std::memcpy(column.data(), tile[j].data(), sizeof column);
    for (std::size_t i = 0; i < strip_rows; ++i) sums[j * rows + i] += column[i];
  }
}

template <class Real>
[[gnu::always_inline]] inline void multiply_all_strips(const HostStrips<Real>& left, const HostStrips<Real>& right,
                                                       std::vector<Real>& sums) {
  const std::size_t rows = left.strips() * strip_rows;
  for (std::size_t j = 0; j < right.strips(); ++j)
    for (std::size_t i = 0; i < left.strips(); ++i)
      multiply_two_strips(left.strip(i), right.strip(j), left.depth,
                          sums.data() + j * strip_columns * rows + i * strip_rows, rows);
}

#if defined(__x86_64__)
template <class Real>
[[gnu::target("avx2")]] void multiply_strips_by_avx2(const HostStrips<Real>& left, const HostStrips<Real>& right,
                                                     std::vector<Real>& sums) {
  multiply_all_strips(left, right, sums);
}
#endif

template <class Real>
void multiply_strips_of(const HostStrips<Real>& left, const HostStrips<Real>& right, std::vector<Real>& sums) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return multiply_strips_by_avx2(left, right, sums);
#endif
  multiply_all_strips(left, right, sums);
}

}  // namespace

void multiply_strips(const HostStrips<float>& left, const HostStrips<float>& right, std::vector<float>& sums) {
  multiply_strips_of(left, right, sums);
}
void multiply_strips(const HostStrips<double>& left, const HostStrips<double>& right, std::vector<double>& sums) {
  multiply_strips_of(left, right, sums);
}

}  // namespace warpwalk::simulated::libraries
