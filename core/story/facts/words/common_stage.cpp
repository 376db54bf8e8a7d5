#include "core/story/facts/words/common_stage.h"

#include <fmt/format.h>

#include "core/analysis/memory/resources.h"
#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/records/hardware.h"
#include "core/run/replay/history.h"
#include "core/story/elements/walk.h"
#include "core/story/facts/words/rows.h"

namespace warpwalk::story {

Narration::Values common_values(const SceneInput& input) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  Narration::Values values;
  add_names(input.narration, input.naming, values);
  const SliceId root = walk.ops.empty() ? walk.op : walk.ops.front();
  const SliceId inner = walk.ops.empty() ? walk.op : walk.ops.back();
  const auto put = [&](std::string_view key, SliceId slice) {
    if (slice != no_slice) values.emplace(key, analysis::shortened(analysis::label_of(trace, slice), 48));
  };
  put("op", walk.op);
  put("root", root != no_slice ? root : walk.launch);  // without an op, the walk begins with the launch
  put("inner", inner);
  put("call", walk.launch);
  put("kernel", walk.kernel);
  if (walk.kernel != no_slice) {
    const trace::TrackId track = trace.slices.track[walk.kernel];
    values.emplace("stream", analysis::stream_name(trace, track));
    values.emplace("device", device_label(input.narration, trace, trace.tracks[track].device));
    values.emplace("work", input.narration.text("work", trace::name_of(trace.slices.kind[walk.kernel])));
  }
  const auto put_time = [&](std::string_view key, SliceId slice) {
    if (slice != no_slice && has_time(trace, slice))
      values.emplace(key, time_text(static_cast<double>(trace.slices.duration[slice])));
  };
  put_time("kernel_time", walk.kernel);
  put_time("root_time", root);
  put_time("call_time", walk.launch);
  return values;
}

namespace {

// The trace has the kernel's code, but not the arguments of this launch.
bool lacks_arguments(const SceneInput& input) {
  const trace::KernelRecord* record = kernel_record(input.trace, input.walk);
  if (record == nullptr || record->module >= input.trace.records.modules.size()) return false;
  const std::string& ptx = input.trace.records.modules[record->module].ptx;
  return !ptx.empty() && record->arguments.empty() && ptx.find(".param") != std::string::npos;
}

// Shortens words that are too long for a line, such as mangled names.
std::string with_short_names(std::string_view text) {
  constexpr std::size_t longest = 32;
  std::string words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.append(words.empty() ? "" : " ").append(analysis::shortened(text.substr(at, end - at), longest));
    at = end + 1;
  }
  return words;
}

}  // namespace

std::string history_reason(const SceneInput& input) {
  std::string reason = lacks_arguments(input) ? input.narration.text("missing", "history.arguments")
                                              : with_short_names(input.history.reason);
  if (!input.history.instead.empty()) reason += "; " + input.history.instead;
  return reason;
}

void add_history_values(const SceneInput& input, Narration::Values& values) {
  if (input.history.state == HistoryView::State::ready) {
    values["stand_in"] = stand_in_text(input.narration, *input.history.history);
    values["gpu"] = input.history.history->device.name;
  }
  values["percent"] = fmt::format("{:.0f}", 100 * input.history.done);
}

void add_replay_facts(const SceneInput& input, Stage& stage) {
  if (input.history.state != HistoryView::State::ready) return;
  const run::History& history = *input.history.history;
  if (const gpu::Device& device = history.device; !device.compared)
    stage.facts.push_back({input.narration.text("history", "accuracy"),
                           Figure::explained(input.narration.text("history", "uncompared", {{"gpu", device.name}}))});
  const auto add = [&](std::string_view label, std::string value) {
    stage.facts.push_back(
        {input.narration.text("history", label), Figure::recorded(std::move(value), Origin::simulated)});
  };
  if (history.stand_in && !history.stands_in_because.empty())
    stage.facts.push_back({input.narration.text("history", "because"),
                           Figure::explained(analysis::shortened(with_short_names(history.stands_in_because), 160))});
  if (history.stand_in) return;
  using Digests = run::History::Digests;
  if (history.recorded && history.announced.empty()) {
    if (history.seeded)
      add("inside", input.narration.text("history", "seeded"));
    else if (history.digests == Digests::equal)
      add("inside", input.narration.text("history", "same_bits"));
    else
      add("inside", input.narration.text("history", "not_compared"));
    if (const trace::KernelRecord* record = analysis::kernel_record(input.trace, input.walk);
        record != nullptr && record->state && !record->state->recorded_in.empty())
      stage.facts.push_back(
          {input.narration.text("history", "recorded_in"),
           Figure::recorded(input.narration.text("history", "recorded_in_run", {{"run", record->state->recorded_in}}),
                            Origin::measured)});
  }
  if (!history.announced.empty()) add("announced", analysis::shortened(with_short_names(history.announced), 160));
}

std::vector<Stop> route_of(const SceneInput& input, std::string_view here) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  const auto label = [&](SliceId s) {
    return s == no_slice ? std::string() : analysis::shortened(analysis::label_of(trace, s), 26);
  };
  const SliceId root = walk.ops.empty() ? walk.op : walk.ops.front();
  const SliceId inner = walk.ops.size() > 1 ? walk.ops.back() : no_slice;
  const auto value = [&](std::string_view stop, std::string n) {
    return input.narration.text(fmt::format("stop.{}", stop), "value", {{"n", std::move(n)}});
  };
  std::string stream, grid, sms, registers, memory;
  if (const auto bytes = analysis::bytes_allocated(trace, walk); bytes.value_or(0) > 0)
    memory = bytes_text(static_cast<double>(*bytes));
  if (const std::vector<std::size_t> buffers = analysis::plain_buffers(trace, walk); !buffers.empty())
    memory = bytes_text(static_cast<double>(analysis::bytes_of(trace, buffers)));
  if (const auto count = analysis::sms_of(trace, walk)) sms = value("sm", std::to_string(*count));
  if (walk.kernel != no_slice) stream = value("stream", analysis::stream_name(trace, trace.slices.track[walk.kernel]));
  if (const trace::KernelDetail* kernel = kernel_detail(trace, walk); kernel != nullptr) {
    if (kernel->grid[0] > 0) grid = value("front_end", analysis::shape_text(kernel->grid));
    if (kernel->registers != trace::absent) registers = value("registers", std::to_string(kernel->registers));
  }
  std::vector<Stop> route = {
      {"op", "", label(root)},
      {"dispatch", "", label(inner)},
      {"driver", "", label(walk.launch)},
      {"memory", "", memory},
      {"stream", "", stream},
      {"front_end", "", grid},
      {"sm", "", sms},
      {"scheduler", "", ""},
      {"warp", "", ""},
      {"registers", "", registers},
  };
  for (Stop& stop : route) {
    const std::string section = fmt::format("stop.{}", stop.key);
    stop.name = input.narration.text(section, input.naming == Naming::company ? "company" : "hardware");
    stop.here = stop.key == here;
  }
  return route;
}

Stage common_stage(const SceneInput& input, std::string_view scene, std::size_t beats, std::string_view beat_section,
                   const Narration::Values& values, std::string_view here) {
  Stage stage;
  const Narration& n = input.narration;
  stage.scene = scene;
  const std::string company = n.text(scene, "company"), hardware = n.text(scene, "hardware");
  stage.scene_label = input.naming == Naming::company    ? company
                      : input.naming == Naming::hardware ? hardware
                                                         : fmt::format("{}: {}", company, hardware);
  stage.beats = static_cast<int>(beats);
  stage.beat = static_cast<int>(input.moment.value);
  stage.phase = input.moment.phase;
  const std::string section = fmt::format("{}.{}", scene, beat_section);
  stage.title = n.text(section, "title", values);
  stage.sentence = n.text(section, "sentence", values);
  stage.head_facts = n.text("frame", "facts");
  stage.head_missing = n.text("frame", "missing");
  stage.word_set = n.text("frame", "set");
  for (const Origin origin : {Origin::measured, Origin::simulated, Origin::derived, Origin::explained})
    stage.origin_words[static_cast<std::size_t>(origin)] = n.text("origin", trace::name_of(origin));
  stage.place = n.text("frame", stage.beats == 1 ? "place.one" : "place",
                       {{"beat", std::to_string(stage.beat)}, {"beats", std::to_string(stage.beats)}});
  if (n.has(section, "note")) stage.note = n.text(section, "note", values);
  stage.route = route_of(input, here);
  return stage;
}

}  // namespace warpwalk::story
