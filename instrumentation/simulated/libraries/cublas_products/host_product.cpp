#include "instrumentation/simulated/libraries/cublas_products/host_product.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "instrumentation/simulated/libraries/cublas_products/half_floats.h"
#include "instrumentation/simulated/libraries/cublas_products/host_panels.h"

namespace warpwalk::simulated::libraries {
namespace {

using namespace stand_in::cublas;

/// Rows and columns of D that a host thread computes at a time.
constexpr std::size_t host_rows = 128, host_columns = 128;

template <class Number>
Number number_at(const std::uint8_t* at, std::int64_t index) {
  Number value{};
  std::memcpy(&value, at + index * static_cast<std::int64_t>(sizeof value), sizeof value);
  return value;
}

double load_number(const std::uint8_t* at, int type, std::int64_t index) {
  switch (type) {
    case type_f64: return number_at<double>(at, index);
    case type_f16: return f16_to_float(number_at<std::uint16_t>(at, index));
    case type_bf16: return bf16_to_float(number_at<std::uint16_t>(at, index));
    case type_e4m3: return f8_to_float(number_at<std::uint8_t>(at, index), false);
    case type_e5m2: return f8_to_float(number_at<std::uint8_t>(at, index), true);
    default: return number_at<float>(at, index);
  }
}

void store_number(std::uint8_t* at, int type, std::int64_t index, double value) {
  const auto store = [&](auto number) {
    std::memcpy(at + index * static_cast<std::int64_t>(sizeof number), &number, sizeof number);
  };
  switch (type) {
    case type_f64: store(value); break;
    case type_f16: store(float_to_f16(static_cast<float>(value))); break;
    case type_bf16: store(float_to_bf16(static_cast<float>(value))); break;
    default: store(static_cast<float>(value));
  }
}

/// Whether the host's code has everything that the product needs.
bool host_can_compute(const Product& p) {
  const auto real = [](int type) {
    return type == type_f32 || type == type_f64 || type == type_f16 || type == type_bf16 || type == type_e4m3 ||
           type == type_e5m2;
  };
  const bool stored = p.d_type == type_f32 || p.d_type == type_f64 || p.d_type == type_f16 || p.d_type == type_bf16;
  return real(p.a_type) && real(p.b_type) && real(p.c_type) && stored && p.a_list == nullptr &&
         (p.epilogue & ~(epilogue_relu | epilogue_bias | epilogue_gelu)) == 0 && p.largest == nullptr &&
         p.alpha_step == 0 && p.a_scale_step == 0 && p.b_scale_step == 0 && p.a_batch >= 0 && p.b_batch >= 0 &&
         p.c_batch >= 0 && p.d_batch >= 0;
}

/// What D is compared as, and how much other orders of summation may change it.
struct ComparedAs {
  StoredAs as;
  double tolerance;
};
ComparedAs compared_as(const Product& p) {
  if (p.a_type == type_e4m3 || p.a_type == type_e5m2)
    return {p.d_type == type_f16 ? StoredAs::f16 : p.d_type == type_bf16 ? StoredAs::bf16 : StoredAs::f32, 1e-2};
  switch (p.d_type) {
    case type_f64: return {StoredAs::f64, 1e-12};
    case type_f16: return {StoredAs::f16, 1e-3};
    case type_bf16: return {StoredAs::bf16, 1e-2};
    default: return {StoredAs::f32, 1e-4};
  }
}

/// Host pointers of a launch.
struct HostAddresses {
  const std::uint8_t *a = nullptr, *b = nullptr, *c = nullptr, *bias = nullptr;
  std::uint8_t* d = nullptr;
  double alpha = 0, beta = 0, d_factor = 1;
};

/// Finds all memory of the launch. Returns false if a part is unknown.
bool find_addresses(const Product& p, int batches, HostRun& host, HostAddresses& found) {
  const auto input = [&](const void* at, std::int64_t elements, int type) {
    return host.input(reinterpret_cast<std::uint64_t>(at),
                      static_cast<std::uint64_t>(elements) * static_cast<std::uint64_t>(element_bytes(type)));
  };
  const auto scalar = [&](const void* at, int type, double value) {
    if (at == nullptr) return value;
    const std::uint8_t* const there = input(at, 1, type);
    return there == nullptr ? std::nan("") : load_number(there, type, 0);
  };
  const std::int64_t last = batches - 1;
  found.alpha = scalar(p.alpha_at, p.scale_type, p.alpha);
  found.beta = scalar(p.beta_at, p.scale_type, p.beta);
  for (const float* scale : {p.a_scale, p.b_scale}) found.alpha *= scalar(scale, type_f32, 1);
  found.beta *= scalar(p.c_scale, type_f32, 1);
  found.d_factor = scalar(p.d_scale, type_f32, 1);
  found.a = input(p.a, last * p.a_batch + (p.m - 1) * p.a_row + (p.k - 1) * p.a_depth + 1, p.a_type);
  found.b = input(p.b, last * p.b_batch + (p.n - 1) * p.b_column + (p.k - 1) * p.b_depth + 1, p.b_type);
  if (found.a == nullptr || found.b == nullptr) return false;
  if ((p.epilogue & epilogue_bias) != 0) {
    found.bias = input(p.bias, last * p.bias_batch + p.m, p.bias_type);
    if (found.bias == nullptr) return false;
  }
  const ComparedAs compared = compared_as(p);
  const std::int64_t elements = last * p.d_batch + (p.n - 1) * p.d_column + p.m;
  found.d = host.output(reinterpret_cast<std::uint64_t>(p.d),
                        static_cast<std::uint64_t>(elements) * static_cast<std::uint64_t>(element_bytes(p.d_type)),
                        compared.as, compared.tolerance);
  if (found.beta != 0) found.c = input(p.c, last * p.c_batch + (p.n - 1) * p.c_column + p.m, p.c_type);
  return found.d != nullptr && (found.beta == 0 || found.c != nullptr);
}

/// Where a panel comes from: `count` rows of A (or columns of B) from `first` on.
struct PanelSource {
  const std::uint8_t* at = nullptr;
  int type = 0;
  bool tf32 = false;
  std::int64_t first = 0;
  std::size_t count = 0;
  std::int64_t step = 0, depth_step = 0;
};

/// Copies the elements, which `value` makes of those in memory.
template <class Stored, class Real, class Value>
void fill_panel(const PanelSource& from, std::size_t k, HostPanel<Real>& panel, Value value) {
  const std::uint8_t* const at = from.at + from.first * from.step * static_cast<std::int64_t>(sizeof(Stored));
  const auto copy = [&](std::size_t l, std::size_t i) {
    const std::int64_t index =
        static_cast<std::int64_t>(i) * from.step + static_cast<std::int64_t>(l) * from.depth_step;
    panel.elements[l * panel.width + i] = static_cast<Real>(value(number_at<Stored>(at, index)));
  };
  // In the order in which the matrix lies in memory, in parts that stay in the cache.
  constexpr std::size_t part = 16;
  if (from.depth_step != 1) {
    for (std::size_t l = 0; l < k; ++l)
      for (std::size_t i = 0; i < from.count; ++i) copy(l, i);
    return;
  }
  for (std::size_t from_l = 0; from_l < k; from_l += part)
    for (std::size_t i = 0; i < from.count; ++i)
      for (std::size_t l = from_l; l < std::min(from_l + part, k); ++l) copy(l, i);
}

/// The panel, with zeros up to a multiple of `multiple` rows.
template <class Real>
HostPanel<Real> panel_of(const PanelSource& from, std::size_t multiple, std::size_t k) {
  HostPanel<Real> panel;
  panel.width = (from.count + multiple - 1) / multiple * multiple;
  panel.elements.resize(panel.width * k);
  switch (from.type) {
    case type_f64: fill_panel<double>(from, k, panel, [](double value) { return value; }); break;
    case type_f16: fill_panel<std::uint16_t>(from, k, panel, f16_to_float); break;
    case type_bf16: fill_panel<std::uint16_t>(from, k, panel, bf16_to_float); break;
    case type_e4m3:
      fill_panel<std::uint8_t>(from, k, panel, [](std::uint8_t bits) { return f8_to_float(bits, false); });
      break;
    case type_e5m2:
      fill_panel<std::uint8_t>(from, k, panel, [](std::uint8_t bits) { return f8_to_float(bits, true); });
      break;
    default:
      if (from.tf32)
        fill_panel<float>(from, k, panel, float_to_tf32);
      else
        fill_panel<float>(from, k, panel, [](float value) { return value; });
  }
  return panel;
}

/// The epilogue of a value of row `i`.
template <class Real>
Real with_host_epilogue(const Product& p, const HostAddresses& at, Real value, std::int64_t i, std::int64_t batch) {
  if ((p.epilogue & epilogue_bias) != 0)
    value += static_cast<Real>(load_number(at.bias, p.bias_type, batch * p.bias_batch + i));
  if ((p.epilogue & epilogue_relu) != 0) value = std::max(value, Real(0));
  if ((p.epilogue & epilogue_gelu) != 0) {
    const Real inner =
        static_cast<Real>(0.79788456080286535588) * (value + static_cast<Real>(0.044715) * value * value * value);
    value = static_cast<Real>(0.5) * value * (1 + std::tanh(inner));
  }
  return value;
}

/// Computes a tile of host_rows x host_columns of D.
template <class Real>
void compute_host_tile(const Product& p, const HostAddresses& at, bool tf32, std::int64_t row, std::int64_t column,
                       std::int64_t batch) {
  const std::size_t rows = std::min<std::size_t>(host_rows, static_cast<std::size_t>(p.m - row));
  const std::size_t columns = std::min<std::size_t>(host_columns, static_cast<std::size_t>(p.n - column));
  const auto k = static_cast<std::size_t>(p.k);
  const auto batch_of = [&](const std::uint8_t* first, std::int64_t step, int type) {
    return first + batch * step * element_bytes(type);
  };
  const HostPanel<Real> a = panel_of<Real>(
      {batch_of(at.a, p.a_batch, p.a_type), p.a_type, tf32, row, rows, p.a_row, p.a_depth}, panel_rows, k);
  const HostPanel<Real> b = panel_of<Real>(
      {batch_of(at.b, p.b_batch, p.b_type), p.b_type, tf32, column, columns, p.b_column, p.b_depth}, panel_columns, k);
  std::vector<Real> sums;
  multiply_panels(a, b, k, sums);
  const auto alpha = static_cast<Real>(at.alpha), beta = static_cast<Real>(at.beta);
  const auto factor = static_cast<Real>(at.d_factor);
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t i = 0; i < rows; ++i) {
      const std::int64_t to_row = row + static_cast<std::int64_t>(i), to_column = column + static_cast<std::int64_t>(j);
      Real value = alpha * sums[j * a.width + i];
      if (beta != 0)
        value +=
            beta * static_cast<Real>(load_number(at.c, p.c_type, batch * p.c_batch + to_column * p.c_column + to_row));
      if (p.epilogue != 0) value = with_host_epilogue(p, at, value, to_row, batch);
      store_number(at.d, p.d_type, batch * p.d_batch + to_column * p.d_column + to_row, factor * value);
    }
}

}  // namespace

std::shared_ptr<const HostComputation> host_product(const Product& product, int batches, bool tf32) {
  if (!host_can_compute(product) || product.k == 0) return nullptr;
  const auto computation = std::make_shared<HostComputation>();
  computation->run = [p = product, batches, tf32](HostRun& host) {
    HostAddresses at;
    if (!find_addresses(p, batches, host, at)) return false;
    const std::size_t rows = (static_cast<std::size_t>(p.m) + host_rows - 1) / host_rows;
    const std::size_t columns = (static_cast<std::size_t>(p.n) + host_columns - 1) / host_columns;
    host.parallel(rows * columns * static_cast<std::size_t>(batches), [&](std::size_t tile) {
      const auto row = static_cast<std::int64_t>(tile % rows * host_rows);
      const auto column = static_cast<std::int64_t>(tile / rows % columns * host_columns);
      const auto batch = static_cast<std::int64_t>(tile / rows / columns);
      if (p.a_type == type_f64)
        compute_host_tile<double>(p, at, false, row, column, batch);
      else
        compute_host_tile<float>(p, at, tf32, row, column, batch);
    });
    return true;
  };
  return computation;
}

}  // namespace warpwalk::simulated::libraries
