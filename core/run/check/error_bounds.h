#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "core/ops/cpu/memory.h"
#include "core/ops/definitions/definition.h"

namespace warpwalk::run {

/// Running error bounds: beside each element that the cpu backend computes, how far a GPU's may lie from it where every
/// op there keeps to its rule (check_rule.h). Views share their storage's bounds as they share its elements.
class ErrorBounds {
 public:
  /// Wraps the CPU functions of this dispatcher, which must be registered. Must outlive its calls.
  explicit ErrorBounds(ops::Dispatcher& dispatcher);
  ErrorBounds(const ErrorBounds&) = delete;
  ErrorBounds& operator=(const ErrorBounds&) = delete;

  /// In row-major order; empty if all are 0.
  std::vector<double> of(const ops::Tensor& tensor) const;

 private:
  struct Bounds {
    std::weak_ptr<ops::Storage> storage;
    std::vector<double> errors;  // by number of the element in the storage
  };

  ops::Tensor call(const ops::Function& function, ops::Dispatcher& dispatcher, const ops::Call& call);
  std::vector<double> errors_of(const ops::Call& call, const ops::Tensor& result);
  std::vector<double> copied(const ops::Call& call, const ops::Tensor& result) const;
  std::vector<double> elementwise(const ops::Call& call, const ops::Tensor& result) const;
  std::vector<double> bounded(const ops::OpDefinition& op, const ops::Call& call, const ops::Tensor& result) const;
  std::vector<double> sums(const ops::Call& call, const ops::Tensor& result);
  /// The sum that the op makes, of other elements, in f64.
  std::vector<double> sum_of(const ops::Call& call, const std::array<std::vector<double>, 2>& operands);
  void set(const ops::Tensor& tensor, const std::vector<double>& errors);

  ops::CpuMemory memory_;
  ops::Dispatcher doubles_;  // sums of sizes and errors
  std::map<const ops::Storage*, Bounds> bounds_;
};

}  // namespace warpwalk::run
