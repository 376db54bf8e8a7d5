#pragma once

#include "app/draw/ui.h"
#include "app/pages/observe/observe_facts.h"

namespace warpwalk::pages {

/// The panel's state between frames.
struct ObserveState {
  std::size_t gpu = 0;
  std::size_t first_process = 0;  ///< the first one in the list
};

/// The sheet that shows what the machine's GPUs do now. Left and Right choose a GPU, Up and Down scroll its processes.
/// `memory` belongs to the open walk; `still`: the strips do not scroll.
void observe_panel(draw::Ui& ui, ObserveState& state, const instrumentation::GpuSnapshot& watch,
                   const instrumentation::NvmlSampler::Options& options, const WalkMemory& memory, bool still);

}  // namespace warpwalk::pages
