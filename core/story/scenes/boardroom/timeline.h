#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/story/facts/launch/receipt.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// A range of a time axis, in ns since the trace's base.
struct Span {
  double from = 0;
  double to = 1;
};

/// The range of time that a beat shows: the whole op, or the launch and the work that it started.
Span boardroom_window(const Trace& trace, const Walk& walk, const std::optional<Receipt>& receipt,
                      std::string_view beat);

/// Everything on the launching thread and on the streams within the window. `before` is the key of the previous beat,
/// empty in the first one.
TimelinePicture boardroom_timeline(const SceneInput& input, const Span& window, std::string_view beat,
                                   std::string_view before, double phase);

/// Words for the roles of bars.
std::vector<std::pair<Role, std::string>> timeline_legend(const SceneInput& input);

}  // namespace warpwalk::story
