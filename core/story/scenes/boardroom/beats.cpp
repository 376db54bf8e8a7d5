// Scene 1: the CPU submits. The line of the walk and the company that works on it; then the op descends through nested
// calls to the launch, and the call returns before the GPU is done.
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/story/elements/walk.h"
#include "core/story/facts/launch/launch_call.h"
#include "core/story/facts/launch/op_order.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/boardroom/boardroom.h"
#include "core/story/scenes/scenes.h"

namespace warpwalk::story {
namespace {

using trace::SliceKind;
using Window = BoardroomReach::Window;

Aftermath aftermath(const Boardroom& s) { return aftermath_of(s.trace(), s.walk(), *s.receipt); }

Boardroom boardroom_subject(const Here& here) {
  const SceneInput& input = here.input;
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  Boardroom s{here, input, receipt_of(trace, walk), {}, common_values(input)};
  Narration::Values& values = s.values;
  const auto put_time = [&](std::string_view key, std::int64_t ns) {
    values[std::string(key)] = time_text(static_cast<double>(ns));
  };
  values["expression"] = analysis::shortened(trace.records.expression, 60);
  values["depth"] = std::to_string(walk.ops.size());
  values["nodes"] = counted_words(input.narration, "nodes", launch_call_of(trace, walk).pieces);
  if (!s.receipt) return s;
  const Receipt& receipt = *s.receipt;
  put_time("before", receipt.cpu());
  put_time("overhead", receipt.overhead);
  put_time("ahead", receipt.kernel_end - receipt.launch_end);
  put_time("late", receipt.launch_end - receipt.kernel_end);
  put_time("not_yet", receipt.kernel_start - receipt.launch_end);
  put_time("to_gpu", receipt.kernel_start - receipt.launch_start);
  put_time("skew", receipt.launch_start - receipt.kernel_start);
  if (receipt.overhead_slice != no_slice) values["overhead_name"] = analysis::label_of(trace, receipt.overhead_slice);
  const Aftermath after = aftermath(s);
  if (after.next_op != no_slice) values["next"] = analysis::label_of(trace, after.next_op);
  if (after.wait != no_slice) {
    values["wait"] = analysis::label_of(trace, after.wait);
    put_time("wait_after", trace.slices.start[after.wait] - receipt.launch_end);
  }
  if (const std::optional<FirstLaunch> first = first_launch_of(trace, walk)) put_time("usual", first->usual);
  return s;
}

Boardroom line_subject(const Here& here) {
  Boardroom s = boardroom_subject(here);
  s.line = opening_line(s.trace(), s.walk());
  s.values["line"] = s.line->text();
  return s;
}

Narration::Values values_of(const Boardroom& s) { return s.values; }

std::string call_section(const Boardroom& s) {
  const bool framed = !s.walk().frames.empty() || !line_of_call(s).empty();
  if (analysis::is_typed(s.trace())) return !framed ? "call.untyped" : s.receipt ? "call.typed" : "call.typed_quiet";
  return !framed ? "call.unframed" : s.receipt ? "call" : "call.quiet";
}

std::string descend_section(const Boardroom& s) {
  if (!s.receipt) return "descend.quiet";
  return s.receipt->overhead > s.receipt->cpu() / 10 ? "descend.overhead" : "descend";
}

std::string launch_section(const Boardroom& s) {
  const TimeRecord timing = time_record_of(s.trace(), s.walk());
  if (timing != TimeRecord::timed) return timing == TimeRecord::unclocked ? "launch.unclocked" : "launch.unrecorded";
  if (!s.receipt) return "launch";
  if (s.receipt->skewed()) return "launch.skew";
  if (launch_call_of(s.trace(), s.walk()).graph) return "launch.graph";
  if (first_launch_of(s.trace(), s.walk())) return "launch.first";
  const SliceKind kind = s.trace().slices.kind[s.walk().kernel];
  return kind == SliceKind::memcpy ? "launch.copy" : kind == SliceKind::memset ? "launch.fill" : "launch";
}

std::string return_section(const Boardroom& s) {
  const TimeRecord timing = time_record_of(s.trace(), s.walk());
  if (timing != TimeRecord::timed)
    return timing == TimeRecord::unclocked && has_time(s.trace(), s.walk().launch) ? "return.unclocked"
                                                                                   : "return.untimed";
  if (!s.receipt) return "return";
  const Receipt& receipt = *s.receipt;
  if (receipt.skewed()) return "return.skew";
  if (receipt.kernel_end <= receipt.launch_end) return "return.late";
  if (std::abs(receipt.kernel_start - receipt.launch_end) < clock_accuracy)
    return s.trace().records.time_origin() == Origin::simulated ? "return.modelled" : "return.together";
  return receipt.kernel_start >= receipt.launch_end ? "return.before" : "return";
}

std::optional<WorkAhead> awaited_after(const Boardroom& s, SliceId wait) {
  return awaited_work(s.trace(), wait, s.trace().tracks[s.trace().slices.track[s.walk().kernel]].device);
}

std::string meanwhile_section(const Boardroom& s) {
  const Aftermath after = aftermath(s);
  if (after.next_op != no_slice && !s.receipt->skewed()) return after.next_orders ? "meanwhile" : "meanwhile.aside";
  if (after.wait == no_slice) return "meanwhile.idle";
  if (awaited_after(s, after.wait)) return "meanwhile.waits";
  return after.waited || s.receipt->skewed() ? "meanwhile.waits.unnamed" : "meanwhile.done";
}

void meanwhile_values(const Boardroom& s, Narration::Values& values) {
  const SliceId wait = aftermath(s).wait;
  if (wait == no_slice) return;
  if (const auto awaited = awaited_after(s, wait)) values["awaited"] = awaited_text(s.input, *awaited);
}

double phase_of(const Boardroom& s) { return s.input.moment.phase; }
bool untimed(const Boardroom& s) { return is_untimed(s.trace(), s.walk()); }

void call_picture(const Boardroom& s, Stage& stage) {
  stage.picture = untimed(s) ? untimed_timeline(s, {0, 0, 0, 0}) : boardroom_timeline(s);
}

void descend_picture(const Boardroom& s, Stage& stage) {
  stage.picture = untimed(s) ? untimed_timeline(s, {part(phase_of(s), 0, 0.6), 0, 0, 0}) : boardroom_timeline(s);
}

// The arrow from the launch to the work on the GPU.
void add_arrow(const Boardroom& s, double shown, TimelinePicture& picture) {
  picture.arrows.push_back({s.walk().launch, s.walk().kernel, shown});
}

void add_measure(const Boardroom& s, std::string_view key, std::int64_t from, std::int64_t to, double shown,
                 TimelinePicture& picture, bool above = false) {
  picture.measures.push_back({s.input.narration.text("row", key, s.values), analysis::since_start(s.trace(), from),
                              analysis::since_start(s.trace(), to), shown, above});
}

void launch_call_picture(const Boardroom& s, Stage& stage) {
  const double phase = phase_of(s);
  if (untimed(s)) {
    stage.picture = untimed_timeline(s, {1, part(phase, 0, 0.3), part(phase, 0.8, 1), eased(part(phase, 0.3, 0.95))});
    return;
  }
  TimelinePicture picture = boardroom_timeline(s);
  add_arrow(s, eased(part(phase, 0.45, 0.95)), picture);
  if (!s.receipt->skewed())
    add_measure(s, "to_gpu", s.receipt->launch_start, s.receipt->kernel_start, part(phase, 0.8, 1), picture, true);
  stage.picture = std::move(picture);
}

// How far the CPU is ahead of the GPU.
void add_ahead(const Boardroom& s, double shown, TimelinePicture& picture) {
  if (!s.receipt->skewed() && s.receipt->kernel_end > s.receipt->launch_end)
    add_measure(s, "ahead", s.receipt->launch_end, s.receipt->kernel_end, shown, picture);
}

void return_picture(const Boardroom& s, Stage& stage) {
  if (untimed(s)) {
    stage.picture = untimed_timeline(s, {});
    return;
  }
  TimelinePicture picture = boardroom_timeline(s);
  add_arrow(s, 1, picture);
  add_ahead(s, part(phase_of(s), 0.5, 1), picture);
  stage.picture = std::move(picture);
}

void meanwhile_picture(const Boardroom& s, Stage& stage) {
  TimelinePicture picture = boardroom_timeline(s);
  add_arrow(s, 1, picture);
  // How long the CPU goes on, if the call that waits is in the picture; else how far it is ahead.
  const SliceId wait = aftermath(s).wait;
  const auto& starts = s.trace().slices.start;
  if (wait != no_slice && starts[wait] > s.receipt->kernel_end &&
      static_cast<double>(starts[wait]) < boardroom_window(s, Window::aftermath).to)
    add_measure(s, "to_wait", s.receipt->launch_end, starts[wait], part(phase_of(s), 0.5, 1), picture);
  else
    add_ahead(s, 1, picture);
  stage.picture = std::move(picture);
}

void timeline_picture(const Boardroom& s, Stage& stage) { stage.picture = boardroom_timeline(s); }

void add_modelled(Boardroom& s, const Narration::Values& values, Stage& stage) {
  const Walk& walk = s.walk();
  if (time_record_of(s.trace(), walk) == TimeRecord::unclocked && walk.launch != no_slice &&
      has_time(s.trace(), walk.launch))
    FactWriter(s.input, values, stage).missing("times_modelled");
}

// The opening beats have no timeline.
constexpr Frame<Boardroom> opening = {.subject = boardroom_subject, .values = values_of};
constexpr Frame<Boardroom> opening_of_line = {.subject = line_subject, .values = values_of};
constexpr Frame<Boardroom, BoardroomReach> timeline_frame = {
    .subject = boardroom_subject, .stop = "stream", .values = values_of, .complete = add_modelled};

// The first op, else the launch: the opening's time.
std::optional<std::int64_t> opening_anchor(const WalkTimes& t) {
  if (t.walk.empty() || !opening_line(t.trace, t.walk)) return {};
  return t.start(!t.walk.ops.empty() ? t.walk.ops.front() : t.walk.op != no_slice ? t.walk.op : t.walk.launch);
}

// Neither a launch without times nor a receipt: nothing was launched, or it is not known by what.
bool without_launch(const WalkTimes& t) { return !t.walk.empty() && !t.untimed_launch() && !t.receipt(); }

std::optional<std::int64_t> call_anchor(const WalkTimes& t) {
  if (t.walk.ops.empty()) return {};
  return t.start(t.walk.ops.front());
}

std::optional<std::int64_t> descend_anchor(const WalkTimes& t) {
  if (t.walk.ops.size() < 2) return {};
  return t.start(t.walk.ops.back());
}

std::optional<std::int64_t> launch_anchor(const WalkTimes& t) {
  if (t.untimed_launch()) return t.start(t.walk.launch);
  if (!t.receipt()) return {};
  return analysis::since_start(t.trace, t.receipt()->launch_start);
}

std::optional<std::int64_t> return_anchor(const WalkTimes& t) {
  if (t.untimed_launch()) return t.end(t.walk.launch);
  if (!t.receipt()) return {};
  return analysis::since_start(t.trace, t.receipt()->launch_end);
}

std::optional<std::int64_t> meanwhile_anchor(const WalkTimes& t) {
  if (t.untimed_launch() || !t.receipt()) return {};
  return analysis::since_start(t.trace, t.receipt()->kernel_end);
}

std::optional<std::int64_t> unlaunched_anchor(const WalkTimes& t) {
  if (!without_launch(t) || t.walk.kernel == no_slice) return {};
  return t.start(t.walk.kernel);
}

std::optional<std::int64_t> boardroom_nothing_anchor(const WalkTimes& t) {
  if (!without_launch(t) || t.walk.kernel != no_slice) return {};
  return t.end(t.walk.op);
}

constexpr BeatOf<Boardroom> line_beat = {.key = "line",
                                         .anchor = opening_anchor,
                                         .first_route = true,
                                         .stop = "op",
                                         .motion_seconds = line_seconds,
                                         .section = line_section,
                                         .facts = line_facts,
                                         .picture = line_picture,
                                         .question = line_question};
constexpr BeatOf<Boardroom> company_beat = {.key = "company",
                                            .anchor = opening_anchor,
                                            .first_route = true,
                                            .motion_seconds = company_seconds,
                                            .picture = company_picture};
constexpr BoardroomBeat call_beat = {.key = "call",
                                     .anchor = call_anchor,
                                     .first_route = true,
                                     .stop = "op",
                                     .section = call_section,
                                     .facts = call_facts,
                                     .picture = call_picture,
                                     .more = {Window::op, 0}};
constexpr BoardroomBeat descend_beat = {.key = "descend",
                                        .anchor = descend_anchor,
                                        .stop = "dispatch",
                                        .section = descend_section,
                                        .facts = descend_facts,
                                        .picture = descend_picture,
                                        .more = {Window::op, 1}};
constexpr BoardroomBeat launch_beat = {.key = "launch",
                                       .anchor = launch_anchor,
                                       .first_route = true,
                                       .stop = "driver",
                                       .section = launch_section,
                                       .facts = launch_call_facts,
                                       .picture = launch_call_picture,
                                       .more = {Window::launch, 2}};
constexpr BoardroomBeat return_beat = {.key = "return",
                                       .anchor = return_anchor,
                                       .section = return_section,
                                       .facts = return_facts,
                                       .picture = return_picture,
                                       .more = {Window::launch, 2}};
constexpr BoardroomBeat meanwhile_beat = {.key = "meanwhile",
                                          .anchor = meanwhile_anchor,
                                          .section = meanwhile_section,
                                          .values = meanwhile_values,
                                          .facts = meanwhile_facts,
                                          .picture = meanwhile_picture,
                                          .more = {Window::aftermath, 2}};
constexpr BoardroomBeat unlaunched_beat = {.key = "unlaunched",
                                           .anchor = unlaunched_anchor,
                                           .facts = unlaunched_facts,
                                           .picture = timeline_picture,
                                           .more = {Window::launch, 2}};
constexpr BoardroomBeat boardroom_nothing_beat = {.key = "nothing",
                                                  .anchor = boardroom_nothing_anchor,
                                                  .stop = "op",
                                                  .facts = nothing_facts,
                                                  .picture = timeline_picture,
                                                  .more = {Window::launch, 2}};
constexpr BoardroomBeat boardroom_empty_beat = {
    .key = "empty", .anchor = empty_anchor, .facts = [](const Boardroom&, FactWriter& facts) {
      facts.missing("anything");
    }};

}  // namespace

const Contents& boardroom_scene() {
  static const BeatTable table(
      "boardroom",
      {framed(opening_of_line, line_beat), framed(opening, company_beat), framed(timeline_frame, call_beat),
       framed(timeline_frame, descend_beat), framed(timeline_frame, launch_beat), framed(timeline_frame, return_beat),
       framed(timeline_frame, meanwhile_beat), framed(timeline_frame, unlaunched_beat),
       framed(timeline_frame, boardroom_nothing_beat), framed(timeline_frame, boardroom_empty_beat)});
  return table;
}

}  // namespace warpwalk::story
