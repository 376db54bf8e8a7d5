#pragma once

#include <cstdint>
#include <optional>

#include "app/draw/ui.h"
#include "app/pages/timeline/timeline.h"

namespace warpwalk::pages {

/// What runs in the marked range of time, or how to mark one: all names with their count, time and share, in lists that
/// scroll. A heading of a column orders them. `switches`: the line above, at whose right end a table is chosen if only
/// one fits.
void timeline_range(draw::Ui& ui, const draw::Box& box, const draw::Box& switches, const trace::Trace& trace,
                    TimelineState& state);

/// Orders the names of the marked range; `self`: those of GPU work by their time.
void order_range(TimelineState& state, analysis::RangeOrder order);

/// The notes, by time, and the field of the one that is written. Returns the note to go to.
std::optional<std::size_t> timeline_note_list(draw::Ui& ui, const draw::Box& box, std::int64_t resolution,
                                              TimelineState& state);

}  // namespace warpwalk::pages
