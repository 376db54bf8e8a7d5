#pragma once

#include <cstddef>
#include <cstdint>

#include "core/run/replay/time_travel.h"

namespace warpwalk::story {

/// The accesses to global memory whose results one dependence counter of a warp stands for, at one moment.
struct AwaitedLoads {
  std::uint32_t instruction = 0;  ///< of the last of them; if they are not known, the one that the counter names
  std::int64_t cycle = 0;         ///< in which it was issued
  std::size_t accesses = 0;       ///< 0: not known, as for copies to shared memory
  int lines = 0;                  ///< of 128 bytes, that they asked L1 for, each once
  int sectors = 0;                ///< of 32 bytes, likewise
  int lines_away = 0;             ///< of these lines, under way to L2 or memory
  int sectors_away = 0;
  /// The request for them that is answered last, in the moment's state; null: none is under way. If the accesses are
  /// not known, of all that the warp asked for.
  const gpu::RequestState* last = nullptr;
};

/// `warp` is one of `now`, and the counter is not zero. A counter does not say which of the accesses that count it up
/// have not come back: those with lines under way are taken first, then the later ones. Looks back at most some
/// thousand cycles from the last access.
AwaitedLoads awaited_loads(run::TimeTravel& travel, const run::SmMoment& now, const gpu::WarpState& warp,
                           std::size_t counter);

}  // namespace warpwalk::story
