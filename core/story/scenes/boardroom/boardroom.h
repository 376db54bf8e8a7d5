#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/story/facts/receipt.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// A stretch of an axis of time, in ns since the trace's base.
struct Span {
  double from = 0;
  double to = 1;
};

/// The stretch of time that a beat of the boardroom shows: the whole op, or the launch and what it started.
Span boardroom_window(const Trace& trace, const Walk& walk, const std::optional<Receipt>& receipt,
                      std::string_view beat);

/// Everything on the launching thread and on the streams, within the window.
/// `before` is the beat that it follows, empty at the start.
TimelinePicture boardroom_timeline(const SceneInput& input, const Span& window, std::string_view beat,
                                   std::string_view before, double phase);

/// Words for what the bars stand for.
std::vector<std::pair<Role, std::string>> timeline_legend(const SceneInput& input);

/// Adds what a beat of the boardroom tells, and what it cannot tell.
void boardroom_facts(const SceneInput& input, const std::optional<Receipt>& receipt, std::string_view beat,
                     const Narration::Values& values, Stage& stage);

}  // namespace warpwalk::story
