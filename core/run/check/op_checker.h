#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ops/cpu/memory.h"
#include "core/ops/dispatch/dispatcher.h"
#include "core/run/catalogue/catalogue.h"
#include "core/run/check/check_rule.h"
#include "core/run/check/op_check.h"

namespace warpwalk::run {

/// Repeats every op that launches kernels with the cpu backend, on the same inputs, and compares the results. Observes
/// the ops; `launches` must be called before each launch.
class OpChecker : public ops::Observer {
 public:
  /// `autocast`: the type to which the GPU casts the inputs of matrix products.
  explicit OpChecker(std::optional<ops::DType> autocast);

  void op_begins(const ops::Call& call) override;
  void op_ends(const ops::Tensor& result) override;
  void launches(const PlannedLaunch& launch);

  /// From now on, only ops may change this tensor's memory. Every op that reads it must find its current contents.
  void remember(const ops::Tensor& tensor);
  /// Checks that the tensor still has its last known contents. The result is counted in the last row of take().
  void recall(const ops::Tensor& tensor);

  /// Returns all checks so far. The last one covers unexpected changes between ops. Rethrows errors of the checks
  /// (ops::OpError).
  std::vector<OpCheck> take();

 private:
  struct Frame {
    std::string op;
    std::vector<ops::Argument> arguments;
    std::vector<ops::Argument> copies;  // on the cpu, as they were before the first launch
    std::string kernel;                 // of the first launch; empty: none yet
  };
  struct Known {
    std::weak_ptr<ops::Storage> storage;
    std::string sha256;
  };
  using Storages = std::map<const ops::Storage*, std::shared_ptr<ops::Storage>>;

  ops::Argument copy_of(const ops::Argument& argument, Storages& storages);
  void check(const Frame& frame, const ops::Tensor& result);

  ops::CpuMemory memory_;
  ops::Dispatcher reference_;
  std::optional<ops::Dispatcher::Guard> autocast_;
  std::vector<Frame> frames_;
  std::map<const ops::Storage*, Known> known_;
  std::uint64_t recalled_ = 0, changed_ = 0;
  std::vector<OpCheck> checks_;
  std::exception_ptr failed_;
};

}  // namespace warpwalk::run
