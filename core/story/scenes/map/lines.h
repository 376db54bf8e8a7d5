#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/story/facts/launch/launch_call.h"
#include "core/story/facts/launch/receipt.h"
#include "core/story/scenes/map/picture.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Whether an op is dispatched before the launch; else the program calls the launch itself.
bool has_op(const Walk& walk);
/// The launch of a graph is shared equally among its nodes, so that this work pays for its own part only.
bool shares_launch(const Receipt& receipt, const LaunchCall& call);
/// ns of the launch call that this work pays for.
std::int64_t own_launch(const Receipt& receipt, const LaunchCall& call);
/// ns: the sum of the receipt's lines.
std::int64_t total_of(const Receipt& receipt, const LaunchCall& call);

/// The lines of the receipt of the followed work. `beat`: the line that is being added at this phase; "total": all are
/// there, "fold": none.
std::vector<ReceiptLine> receipt_lines(const SceneInput& input, const Receipt& receipt, std::string_view beat,
                                       double phase);

}  // namespace warpwalk::story
