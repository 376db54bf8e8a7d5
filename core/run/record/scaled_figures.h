#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/trace/records.h"

namespace warpwalk::run {

/// Which of a kernel's simulated figures do not come from a simulation of the whole launch. `record --on sim` has the
/// host compute large launches of libraries, and lets launches like earlier ones take their cycles. In a walk, these
/// are counters of the kernel.
struct ScaledFigures {
  std::uint64_t blocks = 0;  ///< of the grid
  std::uint64_t blocks_simulated =
      0;                           ///< the host computed the launch, and counters are scaled from these; 0: from all
  std::uint64_t blocks_timed = 0;  ///< cycles are scaled from these; 0: they are not
  std::uint64_t warp_instructions_timed = 0;  ///< likewise, if not even the first blocks were timed to their end
  std::uint64_t cycles_of = 0;  ///< cycles are those of an earlier launch, with this correlation; 0: its own

  bool any() const { return blocks_simulated != 0 || are_cycles_scaled() || cycles_of != 0; }
  bool are_cycles_scaled() const { return blocks_timed != 0 || warp_instructions_timed != 0; }
};

/// The counters that say so; empty if nothing is scaled.
std::vector<trace::NamedCounter> counters_of(const ScaledFigures& figures);
/// What a kernel's counters say of it.
ScaledFigures scaled_figures(const trace::KernelRecord& record);

/// E.g. "computed by the host; counters scaled from 27 of 4096 blocks; cycles scaled from 300 blocks"; empty if nothing
/// is scaled.
std::string describe(const ScaledFigures& figures);

}  // namespace warpwalk::run
