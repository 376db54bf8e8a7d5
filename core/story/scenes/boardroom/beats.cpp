// Scene 1: the CPU submits. The line of the walk and the company that works on it; then the op descends through nested
// calls to the launch, and the call returns before the GPU is done.
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "core/analysis/names/names.h"
#include "core/analysis/slices.h"
#include "core/story/elements/walk.h"
#include "core/story/facts/launch/launch_call.h"
#include "core/story/facts/launch/op_order.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/boardroom/boardroom.h"
#include "core/story/scenes/scenes.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {
namespace {

using trace::SliceKind;

// The variant of the sentence that is true for this trace; empty for the first one.
std::string variant_of(const Trace& trace, const Walk& walk, const std::optional<Receipt>& receipt,
                       std::string_view beat) {
  if (beat == "call" && analysis::is_typed(trace))
    return walk.frames.empty() ? "untyped" : receipt ? "typed" : "typed_quiet";
  if (beat == "call") return walk.frames.empty() ? "unframed" : receipt ? "" : "quiet";
  if (const TimeRecord timing = time_record_of(trace, walk); beat == "launch" && timing != TimeRecord::timed)
    return timing == TimeRecord::unclocked ? "unclocked" : "unrecorded";
  if (const TimeRecord timing = time_record_of(trace, walk); beat == "return" && timing != TimeRecord::timed)
    return timing == TimeRecord::unclocked && has_time(trace, walk.launch) ? "unclocked" : "untimed";
  if (beat == "descend") return !receipt ? "quiet" : receipt->overhead > receipt->cpu() / 10 ? "overhead" : "";
  if (!receipt) return "";
  if (beat == "launch") {
    if (receipt->skewed()) return "skew";
    if (launch_call_of(trace, walk).graph) return "graph";
    if (first_launch_of(trace, walk)) return "first";
    const SliceKind kind = trace.slices.kind[walk.kernel];
    return kind == SliceKind::memcpy ? "copy" : kind == SliceKind::memset ? "fill" : "";
  }
  if (beat == "return") {
    if (receipt->skewed()) return "skew";
    if (receipt->kernel_end <= receipt->launch_end) return "late";
    if (std::abs(receipt->kernel_start - receipt->launch_end) < clock_accuracy)
      return trace.records.time_origin() == Origin::simulated ? "modelled" : "together";
    return receipt->kernel_start >= receipt->launch_end ? "before" : "";
  }
  if (beat == "meanwhile") {
    const Aftermath after = aftermath_of(trace, walk, *receipt);
    if (after.next_op == no_slice || receipt->skewed()) {
      if (after.wait == no_slice) return "idle";
      if (awaited_work(trace, after.wait, trace.tracks[trace.slices.track[walk.kernel]].device)) return "waits";
      return after.waited || receipt->skewed() ? "waits.unnamed" : "done";
    }
    return after.next_orders ? "" : "aside";
  }
  return "";
}

// Without times: the chain of calls; each part appears with its beat.
TimelinePicture untimed_picture(const SceneInput& input, std::string_view beat) {
  const double phase = input.moment.phase;
  OrderedShown shown;
  if (beat == "call") shown = {0, 0, 0, 0};
  if (beat == "descend") shown = {part(phase, 0, 0.6), 0, 0, 0};
  if (beat == "launch") shown = {1, part(phase, 0, 0.3), part(phase, 0.8, 1), eased(part(phase, 0.3, 0.95))};
  TimelinePicture picture = ordered_picture(input, true, shown);
  picture.legend = timeline_legend(input);
  return picture;
}

}  // namespace

std::vector<Beat> boardroom_beats(const Trace& trace, const Walk& walk) {
  const auto& rows = trace.slices;
  if (walk.empty()) return {{"empty", 0}};
  const std::optional<Receipt> receipt = receipt_of(trace, walk);
  std::vector<Beat> beats;
  if (opening_line(trace, walk)) {
    const std::int64_t start = analysis::since_start(trace, rows.start[!walk.ops.empty()     ? walk.ops.front()
                                                                       : walk.op != no_slice ? walk.op
                                                                                             : walk.launch]);
    beats.push_back({"line", start});
    beats.push_back({"company", start});
  }
  if (!walk.ops.empty()) {
    beats.push_back({"call", analysis::since_start(trace, rows.start[walk.ops.front()])});
    if (walk.ops.size() > 1) beats.push_back({"descend", analysis::since_start(trace, rows.start[walk.ops.back()])});
  }
  if (is_untimed(trace, walk) && walk.launch != no_slice) {
    beats.push_back({"launch", analysis::since_start(trace, rows.start[walk.launch])});
    beats.push_back({"return", analysis::since_start(trace, rows.end(walk.launch))});
    return in_order(std::move(beats));
  }
  if (!receipt) {
    beats.push_back(
        {walk.kernel != no_slice ? "unlaunched" : "nothing",
         analysis::since_start(trace, walk.kernel != no_slice ? rows.start[walk.kernel] : rows.end(walk.op))});
    return beats;
  }
  beats.push_back({"launch", analysis::since_start(trace, receipt->launch_start)});
  beats.push_back({"return", analysis::since_start(trace, receipt->launch_end)});
  beats.push_back({"meanwhile", analysis::since_start(trace, receipt->kernel_end)});
  return in_order(std::move(beats));
}

Stage boardroom(const SceneInput& input) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  const std::vector<Beat> beats = boardroom_beats(trace, walk);
  const auto index = static_cast<std::size_t>(input.moment.value - 1);
  const std::string& beat = beats[index].key;
  const std::optional<Receipt> receipt = receipt_of(trace, walk);

  Narration::Values values = common_values(input);
  const auto put_time = [&](std::string_view key, std::int64_t ns) {
    values[std::string(key)] = time_text(static_cast<double>(ns));
  };
  values["expression"] = analysis::shortened(trace.records.expression, 60);
  values["depth"] = std::to_string(walk.ops.size());
  values["nodes"] = counted_words(input.narration, "nodes", launch_call_of(trace, walk).pieces);
  const std::optional<OpeningLine> line = beat == "line" ? opening_line(trace, walk) : std::nullopt;
  if (line) values["line"] = line->text();
  const std::string variant = line ? opening_variant(trace, walk, *line) : variant_of(trace, walk, receipt, beat);
  if (receipt) {
    put_time("before", receipt->cpu());
    put_time("overhead", receipt->overhead);
    put_time("ahead", receipt->kernel_end - receipt->launch_end);
    put_time("late", receipt->launch_end - receipt->kernel_end);
    put_time("not_yet", receipt->kernel_start - receipt->launch_end);
    put_time("to_gpu", receipt->kernel_start - receipt->launch_start);
    put_time("skew", receipt->launch_start - receipt->kernel_start);
    if (receipt->overhead_slice != no_slice)
      values["overhead_name"] = analysis::label_of(trace, receipt->overhead_slice);
    const Aftermath after = aftermath_of(trace, walk, *receipt);
    if (after.next_op != no_slice) values["next"] = analysis::label_of(trace, after.next_op);
    if (after.wait != no_slice) {
      values["wait"] = analysis::label_of(trace, after.wait);
      put_time("wait_after", trace.slices.start[after.wait] - receipt->launch_end);
      if (beat == "meanwhile")
        if (const auto awaited = awaited_work(trace, after.wait, trace.tracks[trace.slices.track[walk.kernel]].device))
          values["awaited"] = awaited_text(input, *awaited);
    }
    if (const std::optional<FirstLaunch> first = first_launch_of(trace, walk)) put_time("usual", first->usual);
  }

  std::vector<Beat> named = beats;
  if (!variant.empty()) named[index].key += "." + variant;
  Stage stage = common_stage(input, "boardroom", named, values,
                             beat == "company"                                       ? ""
                             : beat == "line" || beat == "call" || beat == "nothing" ? "op"
                             : beat == "descend"                                     ? "dispatch"
                             : beat == "launch"                                      ? "driver"
                                                                                     : "stream");

  if (line) {
    add_opening(input, *line, values, stage);
    return stage;
  }
  if (beat == "company") {
    add_company(input, stage);
    return stage;
  }
  boardroom_facts(input, receipt, beat, values, stage);
  if (beat == "empty") return stage;
  if (is_untimed(trace, walk)) {
    stage.picture = untimed_picture(input, beat);
    return stage;
  }

  // First the axis moves, then the new parts appear.
  const Span target = boardroom_window(trace, walk, receipt, beat);
  const bool first = index == 0 || beats[index - 1].key == "company";
  const Span source = first ? target : boardroom_window(trace, walk, receipt, beats[index - 1].key);
  const double moved = eased(part(input.moment.phase, 0, 0.45));
  const Span window = {source.from + (target.from - source.from) * moved, source.to + (target.to - source.to) * moved};
  TimelinePicture picture =
      boardroom_timeline(input, window, beat, first ? "" : beats[index - 1].key, input.moment.phase);

  if (receipt && (beat == "launch" || beat == "return" || beat == "meanwhile")) {
    picture.arrows.push_back(
        {walk.launch, walk.kernel, beat == "launch" ? eased(part(input.moment.phase, 0.45, 0.95)) : 1});
    if (beat == "launch" && !receipt->skewed())
      picture.measures.push_back(
          {input.narration.text("row", "to_gpu", values), analysis::since_start(trace, receipt->launch_start),
           analysis::since_start(trace, receipt->kernel_start), part(input.moment.phase, 0.8, 1), true});
    // How long the CPU goes on, if the call that waits is in the picture; else how far it is ahead.
    const SliceId wait = beat == "meanwhile" ? aftermath_of(trace, walk, *receipt).wait : no_slice;
    if (wait != no_slice && trace.slices.start[wait] > receipt->kernel_end &&
        static_cast<double>(trace.slices.start[wait]) < target.to)
      picture.measures.push_back(
          {input.narration.text("row", "to_wait", values), analysis::since_start(trace, receipt->launch_end),
           analysis::since_start(trace, trace.slices.start[wait]), part(input.moment.phase, 0.5, 1)});
    else if (beat != "launch" && !receipt->skewed() && receipt->kernel_end > receipt->launch_end)
      picture.measures.push_back(
          {input.narration.text("row", "ahead", values), analysis::since_start(trace, receipt->launch_end),
           analysis::since_start(trace, receipt->kernel_end), beat == "return" ? part(input.moment.phase, 0.5, 1) : 1});
  }
  stage.picture = std::move(picture);
  return stage;
}

}  // namespace warpwalk::story
