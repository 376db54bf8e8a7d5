#pragma once

// The parts of the scene "boardroom": its first two beats, the timeline of the others, and the facts. The functions of
// the whole scene are declared in core/story/scenes/scenes.h, as those of all scenes are.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/story/facts/launch/receipt.h"
#include "core/story/facts/launch/work_ahead.h"
#include "core/story/facts/words/opening_line.h"
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

/// The work of a GPU that ran during a call that waits for it, and that had ended when the call returned.
/// Returns nullopt if there is none: the GPU had finished, or what ended the call was no work of its own.
std::optional<WorkAhead> awaited_work(const Trace& trace, SliceId wait, std::int64_t device);
/// "gemm (20.1 µs of the wait)", or how many there are, the longest and the last one.
std::string awaited_text(const SceneInput& input, const WorkAhead& awaited);

/// The variant of the first beat's sentence that is true for this walk; empty for the usual one.
std::string opening_variant(const Trace& trace, const Walk& walk, const OpeningLine& line);

/// The first beat: the line, its numbers, and who works on them. It asks who multiplies, if a kernel is followed.
void add_opening(const SceneInput& input, const OpeningLine& line, const Narration::Values& values, Stage& stage);

/// The second beat: the parts of the machine, one by one, by the names of the company.
void add_company(const SceneInput& input, Stage& stage);

/// Adds the facts of a beat, and what the trace lacks for it.
void boardroom_facts(const SceneInput& input, const std::optional<Receipt>& receipt, std::string_view beat,
                     const Narration::Values& values, Stage& stage);

}  // namespace warpwalk::story
