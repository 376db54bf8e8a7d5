#pragma once

#include <span>
#include <vector>

#include "core/ops/definitions/accuracy.h"

namespace warpwalk::ops {

/// Arithmetic on values with errors: each result carries what the errors of its operands make of it and the rounding of
/// the operation itself (running error analysis; Higham, "Accuracy and stability of numerical algorithms", 3.3). An
/// op's bound is its own arithmetic done with this. The value is the cpu backend's, which computes f16, bf16 and f32 in
/// double; the errors are those of a kernel that computes them in float. In f64 both round, and errors count twice.
class RunningError {
 public:
  explicit RunningError(DType dtype);

  /// A value without error, e.g. a constant that the kernel has in its type.
  static Approximate exact(double value) { return {value, 0}; }

  Approximate add(const Approximate& x, const Approximate& y) const;
  Approximate subtract(const Approximate& x, const Approximate& y) const;
  Approximate multiply(const Approximate& x, const Approximate& y) const;
  Approximate divide(const Approximate& x, const Approximate& y) const;
  /// The sum of terms that are added in any order.
  Approximate sum(std::span<const Approximate> terms) const;
  /// The same from the sums of the terms' values, magnitudes and errors, after so many roundings each.
  Approximate sum(double value, double size, double error, std::size_t roundings) const;

  // Functions, with the errors that the CUDA C++ programming guide (mathematical functions) gives.
  Approximate sqrt(const Approximate& x) const;
  Approximate exp(const Approximate& x) const;
  Approximate log(const Approximate& x) const;
  Approximate tanh(const Approximate& x) const;
  Approximate erf(const Approximate& x) const;

  /// The bound of an element: the error, and the rounding of both backends' results to the type. Infinite if either may
  /// overflow.
  double bound(const Approximate& result) const;

 private:
  /// Adds the rounding of a result by `ulps` (1 ulp is at most 2 units of roundoff).
  Approximate rounded(double value, double error, double ulps = 0.5) const;

  DType dtype_;
  double unit_;      ///< of roundoff: 2^-24, of f64 2 * 2^-53
  double smallest_;  ///< what underflow may take away
};

/// A tensor argument at each element of the result, or along its own elements if `sizes` are its own: row-major.
std::vector<Approximate> approximate(const BoundRequest& request, const Tensor& tensor, const Sizes& sizes);

/// The bounds of an elementwise op whose first arguments are tensors: `formula(arithmetic, x)` for each element.
template <class Formula>
std::vector<double> elementwise_bounds(const BoundRequest& request, Formula formula) {
  const Sizes& sizes = request.result.sizes();
  std::vector<std::vector<Approximate>> inputs;
  for (const Argument& argument : request.call.arguments)
    if (const auto* const tensor = std::get_if<Tensor>(&argument))
      inputs.push_back(approximate(request, *tensor, sizes));
  const RunningError arithmetic(request.result.dtype());
  std::vector<double> bounds(static_cast<std::size_t>(request.result.count()));
  std::vector<Approximate> at(inputs.size());
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    for (std::size_t t = 0; t < inputs.size(); ++t) at[t] = inputs[t][i];
    bounds[i] = arithmetic.bound(formula(arithmetic, std::span<const Approximate>(at)));
  }
  return bounds;
}

using Rows = std::vector<std::vector<Approximate>>;

/// The positions in row-major order of the elements of each row.
std::vector<std::vector<std::size_t>> rows_of(const Sizes& sizes, const std::vector<bool>& reduced);

/// The bounds of an op that computes rows: `formula(arithmetic, the row of each tensor)` gives a row of results.
/// `reduced`: the dimensions that make up a row.
template <class Formula>
std::vector<double> row_bounds(const BoundRequest& request, const std::vector<bool>& reduced, Formula formula) {
  const Sizes& sizes = request.result.sizes();
  Rows inputs;
  for (const Argument& argument : request.call.arguments)
    if (const auto* const tensor = std::get_if<Tensor>(&argument); tensor != nullptr && tensor->defined())
      inputs.push_back(approximate(request, *tensor, sizes));
  const RunningError arithmetic(request.result.dtype());
  std::vector<double> bounds(static_cast<std::size_t>(request.result.count()));
  Rows row(inputs.size());
  for (const std::vector<std::size_t>& places : rows_of(sizes, reduced)) {
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      row[t].clear();
      for (const std::size_t place : places) row[t].push_back(inputs[t][place]);
    }
    const std::vector<Approximate> results = formula(arithmetic, row);
    for (std::size_t i = 0; i < places.size(); ++i) bounds[places[i]] = arithmetic.bound(results[i]);
  }
  return bounds;
}

}  // namespace warpwalk::ops
