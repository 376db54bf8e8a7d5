#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/predict/change.h"
#include "core/trace/trace.h"

namespace warpwalk::analysis {

/// What a trace says of a change that was really made after it was recorded: the member `made_change` at its top,
/// `{"changes": ["dtype:bf16"], "step_ms": 3.1, "file": "after.json.gz"}`.
struct MadeChange {
  std::vector<Change> changes;
  double step = 0;   ///< ns that a step took with the changes
  std::string file;  ///< of the trace that was recorded then
};

/// None if the trace has no such member, or one that cannot be read.
std::optional<MadeChange> made_change(const trace::Trace& trace);

}  // namespace warpwalk::analysis
