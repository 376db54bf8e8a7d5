#pragma once

#include "app/draw/ui.h"
#include "app/panels/observe_facts.h"

namespace warpwalk::panels {

/// What was chosen in the panel.
struct ObserveState {
  std::size_t gpu = 0;
  std::size_t first_process = 0;  ///< of those that are listed
};

/// The sheet with what the machine's GPUs do now, as far as `watch` knows. Left and Right choose a GPU, Up and Down go
/// through its processes. `memory` is of the walk that is open; `still`: nothing scrolls.
void observe_panel(draw::Ui& ui, ObserveState& state, const recording::GpuWatch& watch,
                   const recording::NvmlSampler::Options& options, const WalkMemory& memory, bool still);

}  // namespace warpwalk::panels
