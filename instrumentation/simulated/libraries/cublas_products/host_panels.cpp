#include "instrumentation/simulated/libraries/cublas_products/host_panels.h"

#include <array>
#include <cstring>

namespace warpwalk::simulated::libraries {
namespace {

/// Numbers that are multiplied with one instruction. Compilers split them for processors with shorter ones.
template <class Real>
struct PanelVector {
  using type __attribute__((vector_size(32))) = Real;
};

/// A tile of panel_rows x panel_columns sums, which stay in registers.
template <class Real>
[[gnu::always_inline]] inline void multiply_panel_tile(const Real* a, std::size_t a_width, const Real* b,
                                                       std::size_t b_width, std::size_t k, Real* sums,
                                                       std::size_t sums_width) {
  using Vector = typename PanelVector<Real>::type;
  constexpr std::size_t lanes = 32 / sizeof(Real), vectors = panel_rows / lanes;
  std::array<std::array<Vector, vectors>, panel_columns> tile{};
  for (std::size_t l = 0; l < k; ++l) {
    std::array<Vector, vectors> of_a;
    std::memcpy(of_a.data(), a + l * a_width, sizeof of_a);
    for (std::size_t j = 0; j < panel_columns; ++j) {
      const Real of_b = b[l * b_width + j];
      for (std::size_t i = 0; i < vectors; ++i) tile[j][i] += of_a[i] * of_b;
    }
  }
  for (std::size_t j = 0; j < panel_columns; ++j) std::memcpy(sums + j * sums_width, tile[j].data(), sizeof tile[j]);
}

template <class Real>
[[gnu::always_inline]] inline void multiply_panel_tiles(const HostPanel<Real>& a, const HostPanel<Real>& b,
                                                        std::size_t k, std::vector<Real>& sums) {
  for (std::size_t j = 0; j < b.width; j += panel_columns)
    for (std::size_t i = 0; i < a.width; i += panel_rows)
      multiply_panel_tile(a.elements.data() + i, a.width, b.elements.data() + j, b.width, k,
                          sums.data() + j * a.width + i, a.width);
}

#if defined(__x86_64__)
template <class Real>
[[gnu::target("avx2")]] void multiply_by_avx2(const HostPanel<Real>& a, const HostPanel<Real>& b, std::size_t k,
                                              std::vector<Real>& sums) {
  multiply_panel_tiles(a, b, k, sums);
}
#endif

template <class Real>
void multiply_panels_of(const HostPanel<Real>& a, const HostPanel<Real>& b, std::size_t k, std::vector<Real>& sums) {
  sums.resize(a.width * b.width);
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return multiply_by_avx2(a, b, k, sums);
#endif
  multiply_panel_tiles(a, b, k, sums);
}

}  // namespace

void multiply_panels(const HostPanel<float>& a, const HostPanel<float>& b, std::size_t k, std::vector<float>& sums) {
  multiply_panels_of(a, b, k, sums);
}
void multiply_panels(const HostPanel<double>& a, const HostPanel<double>& b, std::size_t k, std::vector<double>& sums) {
  multiply_panels_of(a, b, k, sums);
}

}  // namespace warpwalk::simulated::libraries
