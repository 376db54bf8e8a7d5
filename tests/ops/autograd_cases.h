#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ops/dispatch/dispatcher.h"

namespace warpwalk::ops {

/// A tensor from data/gradients.json.
struct RecordedTensor {
  DType dtype = DType::f32;
  Sizes sizes;
  std::vector<double> values;
};

/// A chain of calls with PyTorch's results (record_gradients.py).
struct GradientCase {
  struct Reference {
    std::size_t tensor = 0;
  };
  struct Step {
    std::string op;
    std::vector<std::variant<Reference, Argument>> arguments;
  };
  struct Run {
    RecordedTensor result;
    std::vector<std::optional<RecordedTensor>> gradients;
  };

  std::string name;
  std::vector<RecordedTensor> inputs;
  std::vector<bool> typed;  ///< true: the input keeps its own type in every run
  std::vector<Step> steps;
  std::vector<double> upstream;
  std::vector<std::string> tape;
  std::optional<DType> autocast;
  std::optional<Run> f32, f64;

  /// The tensors of a run in `dtype`: inputs, then the result of each step. `values` replaces the recorded inputs.
  std::vector<Tensor> evaluate(Dispatcher& dispatcher, Memory& memory, DType dtype, bool gradients,
                               const std::vector<std::vector<double>>* values = nullptr) const;
  Tensor start(Memory& memory, const Tensor& result) const;  ///< the upstream gradient
};

/// PyTorch's profiler events for a run.
struct RecordedProfile {
  struct Row {
    int depth = 0;
    std::string name;
    std::int64_t sequence = -1;
    bool operator==(const Row&) const = default;
  };
  std::string name;
  std::vector<Sizes> inputs;
  std::vector<Row> rows;
};

struct Recorded {
  std::vector<GradientCase> cases;
  std::vector<RecordedProfile> profiles;
};
const Recorded& recorded();

/// Names of the nodes that lead to a tensor, sorted, each node once.
std::vector<std::string> tape_of(const Tensor& result);

Tensor tensor_of(Memory& memory, DType dtype, const Sizes& sizes, const std::vector<double>& values);

}  // namespace warpwalk::ops
