#pragma once

#include <cstdint>
#include <optional>

#include "core/run/replay/time_travel.h"
#include "core/story/elements/narration.h"
#include "core/story/pictures/heat.h"

namespace warpwalk::story {

/// The quantity that the colours of the whole GPU show.
enum class GlanceShows : std::uint8_t {
  issue,      ///< instructions issued, of those that the SM's schedulers could issue
  residents,  ///< resident warps, of the SM's warp slots
};

/// The whole simulated GPU at a glance: SMs by cycles, grouped by GPC, in the whole launch or the part that was
/// simulated. A click on an SM sets the control "sm" of every scene that shows one SM. `sm` is framed; `now` is marked.
HeatPicture gpu_glance(const Narration& narration, const run::TimeTravel& travel, std::uint16_t sm,
                       std::optional<std::int64_t> now = {}, GlanceShows shows = GlanceShows::issue);

}  // namespace warpwalk::story
