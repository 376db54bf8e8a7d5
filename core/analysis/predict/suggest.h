#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/predict/change.h"
#include "core/analysis/time/advice.h"
#include "core/gpu/device/device.h"

namespace warpwalk::analysis {

/// A change to predict, with the lines of advice that it answers.
struct Suggestion {
  std::optional<Change> change;     ///< none: no word of --change stands for what the advice says
  std::vector<std::size_t> advice;  ///< indices; empty: it is suggested for every trace, or for what is followed
};

/// The change that a line of advice leads to; none if no word stands for it.
std::optional<Change> change_of(const Trace& trace, const Advice& advice);

/// The changes to try first: those that the advice leads to, in its order; those of the followed kernel and op
/// (no_slice: none); then the usual ones of a training step. Each is listed once.
std::vector<Suggestion> suggested_changes(const Trace& trace, std::span<const Advice> advice, SliceId kernel,
                                          SliceId op);

/// What each line of advice would gain. `known`: the descriptions of GPUs. `cancel`: once it is true, the work ends,
/// and the result is empty.
std::vector<AdvicePrediction> predict_advice(const Trace& trace, std::span<const Advice> advice,
                                             std::span<const gpu::Device> known,
                                             const std::atomic<bool>* cancel = nullptr);

}  // namespace warpwalk::analysis
