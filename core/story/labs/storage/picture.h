#pragma once

#include "core/story/labs/storage/settings.h"

namespace warpwalk::story {

/// The places that a chunk passes on a route, one after the other. `shown`: 0 to 1.
Panel places_panel(const Storage& lab, std::size_t route, double shown);
/// The routes: time, rate, and what they cost the CPU and its memory.
Panel routes_table(const Storage& lab);
/// The first chunks through the parts of the chosen route, to scale. `shown`: 0 to 1.
Panel schedule_panel(const Storage& lab, double shown);
/// How long each part works.
Panel parts_table(const Storage& lab);
/// The calls of the usual route and of cuFile.
Panel code_panel(const Storage& lab);
Panel call_table(const Storage& lab);
/// The blocks that the first chunk touches: what was asked for, and what is read too.
Panel blocks_panel(const Storage& lab);
Panel blocks_table(const Storage& lab);
/// Bytes per request against the rate of the three routes.
Panel chunks_panel(const Storage& lab);
/// The rate of one copying thread against the rate of the three routes.
Panel copy_panel(const Storage& lab);

}  // namespace warpwalk::story
