#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/predict/apply.h"
#include "core/analysis/predict/change.h"
#include "core/analysis/predict/work_graph.h"

namespace warpwalk::analysis {

/// What one change rests on.
struct PredictionBasis {
  std::string change;  ///< as it was written
  BasisOrigin origin = BasisOrigin::derived;
  std::string text;
};

/// Where the time of a step is on the CPU and on the GPU, ns in the mean of the steps.
struct StepParts {
  double cpu = 0;           ///< the main thread works
  double waiting = 0;       ///< the main thread waits for the GPU or another thread
  double gpu = 0;           ///< the streams work; what runs at the same time is added
  std::size_t kernels = 0;  ///< pieces of GPU work
};

/// The time that a step would take.
struct Prediction {
  double before = 0;                      ///< ns; as recorded
  std::optional<double> step, low, high;  ///< ns; none: it cannot be told
  std::vector<PredictionBasis> basis;     ///< of each change
  std::string step_name;                  ///< empty: the whole trace
  std::string cannot;                     ///< why it cannot be told; empty: it can
  StepParts parts_before, parts_after;
  WorkGraph graph;  ///< with the changes
  NodeTimes times;  ///< of its nodes
};

/// Predicts changes of one trace. What every prediction needs is found once.
class Predictor {
 public:
  /// Trace and descriptions must outlive it. `known`: the descriptions of GPUs. `simulate`: for kernels that were
  /// recorded with their memory; none: they are scaled as others are.
  Predictor(const Trace& trace, std::span<const gpu::Device> known, KernelSimulator simulate = {});

  /// The time of a step with changes, which are applied one after the other. The error is of a change that names what
  /// the trace does not have. `cancel`: once it is true, the work ends with an error.
  base::Result<Prediction> predict(std::span<const Change> changes, const std::atomic<bool>* cancel = nullptr);

 private:
  const Trace& trace_;
  std::span<const gpu::Device> known_;
  WorkGraph recorded_;
  NodeTimes times_;
  double before_ = 0, replayed_ = 0;  // ns: a step as recorded, and as its dependences give it
  std::string cannot_;                // why nothing of this trace can be predicted; empty: something can
  KernelSimulator simulate_;
  DeviceMatch device_;
  DevicePeaks peaks_;
  WorkCategories categories_;
  CodePlaces places_;
};

/// Predicts once.
base::Result<Prediction> predict(const Trace& trace, std::span<const Change> changes,
                                 std::span<const gpu::Device> known);

/// The trace with the times of a prediction, marked as predicted: the names of its processes begin with "predicted",
/// and the metadata has the changes and the verdict. It does not have what a change removes. Kernels that a change
/// fuses are one kernel with the name and the op of the last of them.
trace::Trace changed_trace(const Trace& trace, const Prediction& prediction);

/// The prediction in one sentence; it begins with "Cannot tell" if there is none.
std::string verdict_of(const Prediction& prediction);

}  // namespace warpwalk::analysis
