#pragma once

#include "core/analysis/predict/prediction.h"
#include "core/trace/trace.h"

namespace warpwalk::analysis {

/// The trace with the times of a prediction, marked as predicted: the names of its processes begin with "predicted",
/// and the metadata has the changes and the verdict. What a change removes is left out. A kernel whose time a change
/// sets keeps its name: of a group that is fused, the last one stands for it.
trace::Trace changed_trace(const Trace& trace, const Prediction& prediction);

}  // namespace warpwalk::analysis
