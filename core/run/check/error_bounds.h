#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "core/ops/cpu/memory.h"
#include "core/ops/definitions/definition.h"

namespace warpwalk::run {

/// Running error bounds: for each element that the cpu backend computes, the largest difference that a GPU's result may
/// have if every op on the GPU follows its rule (check_rule.h). Views share the bounds of their storage.
class ErrorBounds {
 public:
  /// Wraps the CPU functions of this dispatcher, which must be registered. Must outlive all calls of the dispatcher.
  explicit ErrorBounds(ops::Dispatcher& dispatcher);
  ErrorBounds(const ErrorBounds&) = delete;
  ErrorBounds& operator=(const ErrorBounds&) = delete;

  /// The bounds in row-major order; empty if all are 0.
  std::vector<double> of(const ops::Tensor& tensor) const;

 private:
  struct Bounds {
    std::weak_ptr<ops::Storage> storage;
    std::vector<double> errors;  // by element index in the storage
  };

  ops::Tensor call(const ops::Function& function, ops::Dispatcher& dispatcher, const ops::Call& call);
  std::vector<double> errors_of(const ops::Call& call, const ops::Tensor& result);
  std::vector<double> copied(const ops::Call& call, const ops::Tensor& result) const;
  std::vector<double> elementwise(const ops::Call& call, const ops::Tensor& result) const;
  std::vector<double> bounded(const ops::OpDefinition& op, const ops::Call& call, const ops::Tensor& result) const;
  std::vector<double> sums(const ops::Call& call, const ops::Tensor& result);
  /// The sum that the op computes, applied to other elements, in f64.
  std::vector<double> sum_of(const ops::Call& call, const std::array<std::vector<double>, 2>& operands);
  void set(const ops::Tensor& tensor, const std::vector<double>& errors);

  ops::CpuMemory memory_;
  ops::Dispatcher doubles_;  // sums of sizes and errors
  std::map<const ops::Storage*, Bounds> bounds_;
};

}  // namespace warpwalk::run
