#include "core/ops/definitions/running_error.h"

#include <cmath>

#include "core/ops/definitions/float_format.h"
#include "core/ops/definitions/spreads.h"

namespace warpwalk::ops {
namespace {

/// For the roundings of the bounds themselves, and for an op that rounds to f32 before it rounds to less.
constexpr double slack = 1 + 0x1p-7;

}  // namespace

RunningError::RunningError(DType dtype)
    : dtype_(dtype),
      unit_(dtype == DType::f64 ? 0x1p-52 : 0x1p-24),
      smallest_(dtype == DType::f64 ? 0x1p-1073 : 0x1p-148) {}

Approximate RunningError::rounded(double value, double error, double ulps) const {
  return {value, error + 2 * ulps * unit_ * (std::abs(value) + error) + smallest_};
}

Approximate RunningError::add(const Approximate& x, const Approximate& y) const {
  return rounded(x.value + y.value, x.error + y.error);
}

Approximate RunningError::subtract(const Approximate& x, const Approximate& y) const {
  return rounded(x.value - y.value, x.error + y.error);
}

Approximate RunningError::multiply(const Approximate& x, const Approximate& y) const {
  return rounded(x.value * y.value, product_difference(x, y));
}

Approximate RunningError::divide(const Approximate& x, const Approximate& y) const {
  return rounded(x.value / y.value, quotient_difference(x, y));
}

Approximate RunningError::sum(std::span<const Approximate> terms) const {
  double value = 0, size = 0, error = 0;
  for (const Approximate& term : terms) {
    value += term.value;
    size += magnitude(term);
    error += term.error;
  }
  return sum(value, size, error, terms.size());
}

Approximate RunningError::sum(double value, double size, double error, std::size_t roundings) const {
  const double units = static_cast<double>(roundings) * unit_;
  return {value,
          error + (units < 1 ? units / (1 - units) * size : infinite) + static_cast<double>(roundings) * smallest_};
}

Approximate RunningError::sqrt(const Approximate& x) const {
  const double least = x.value - x.error, root = std::sqrt(x.value);
  if (least < 0) return {root, infinite};
  return rounded(root, x.error == 0 ? 0 : x.error / (std::sqrt(least) + root));
}

Approximate RunningError::exp(const Approximate& x) const {
  const double value = std::exp(x.value);
  return rounded(value, x.error == 0 ? 0 : value * std::expm1(x.error), 2);
}

Approximate RunningError::log(const Approximate& x) const {
  const double least = x.value - x.error;
  return rounded(std::log(x.value), x.error == 0 ? 0 : least > 0 ? x.error / least : infinite, 1);
}

Approximate RunningError::tanh(const Approximate& x) const {
  return rounded(std::tanh(x.value), monotone_difference([](double at) { return std::tanh(at); }, x), 2);
}

Approximate RunningError::erf(const Approximate& x) const {
  return rounded(std::erf(x.value), monotone_difference([](double at) { return std::erf(at); }, x), 2);
}

double RunningError::bound(const Approximate& result) const {
  const FloatFormat format = format_of(dtype_);
  const double size = magnitude(result);
  if (!(size * slack <= format.largest)) return infinite;
  return slack * (result.error + 2 * std::ldexp(size, -format.digits) + std::ldexp(1.0, format.lowest));
}

std::vector<Approximate> approximate(const BoundRequest& request, const Tensor& tensor, const Sizes& sizes) {
  const Tensor seen = tensor.with(expanded(tensor.geometry(), sizes));
  const std::vector<double> values = values_of(seen), errors = request.errors(seen);
  std::vector<Approximate> all(values.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = {values[i], errors.empty() ? 0 : errors[i]};
  return all;
}

std::vector<std::vector<std::size_t>> rows_of(const Sizes& sizes, const std::vector<bool>& reduced) {
  const Sizes strides = row_major(sizes);
  // The start of each row, and the offsets of its elements from that start.
  std::vector<std::size_t> starts = {0}, inside = {0};
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    std::vector<std::size_t>& places = reduced[d] ? inside : starts;
    std::vector<std::size_t> more;
    for (const std::size_t place : places)
      for (std::int64_t i = 0; i < sizes[d]; ++i) more.push_back(place + static_cast<std::size_t>(i * strides[d]));
    places = std::move(more);
  }
  std::vector<std::vector<std::size_t>> rows(starts.size(), inside);
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t& place : rows[r]) place += starts[r];
  return rows;
}

}  // namespace warpwalk::ops
