// Lab: streams: what overlaps, what waits and for what, the default stream, events, synchronization and graphs.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/facts/words/ask.h"
#include "core/story/labs/lab.h"
#include "core/story/labs/labs.h"
#include "core/story/labs/streams/streams.h"

namespace warpwalk::story {
namespace {

// The values for the sentences and facts of a beat.
struct Beats {
  const Streams& lab;
  std::string beat;
  std::optional<StreamWindow> window = {};  // of the open walk
  RecordedProgram program = {};             // of the beat, in the record
  StreamSchedule expected = {};             // the same program
};

bool overlaps(const StreamSchedule& run, std::size_t a, std::size_t b) {
  return run.steps[a].start < run.steps[b].end && run.steps[b].start < run.steps[a].end;
}

std::vector<Task> tasks_of(const Streams& lab) {
  const auto copy_beside_kernel = [&] {
    for (std::size_t a = 0; a < lab.program.size(); ++a)
      for (std::size_t b = 0; b < lab.program.size(); ++b)
        if (is_copy(lab.program[a].op) && lab.program[b].op == StreamOp::kernel && overlaps(lab.run, a, b)) return true;
    return false;
  };
  const auto waited = [&](WaitCause cause) {
    for (const StepRun& one : lab.run.steps)
      for (const StreamWait& wait : one.waits)
        if (wait.cause == cause) return true;
    return false;
  };
  // The largest number of kernels that run at the same time.
  int most = 0;
  for (std::size_t a = 0; a < lab.program.size(); ++a) {
    if (lab.program[a].op != StreamOp::kernel) continue;
    int running = 0;
    for (std::size_t b = 0; b < lab.program.size(); ++b)
      running += lab.program[b].op == StreamOp::kernel && lab.run.steps[b].start <= lab.run.steps[a].start &&
                 lab.run.steps[a].start < lab.run.steps[b].end;
    most = std::max(most, running);
  }
  const bool pipeline = lab.chosen().key == "depth_first" || lab.chosen().key == "breadth_first";
  return {{"beside", lab.rules.pageable && copy_beside_kernel()},
          {"four", most >= 4},
          {"event", waited(WaitCause::event) && !waited(WaitCause::default_stream)},
          {"default", lab.chosen().key == "default_between" && lab.rules.mode != DefaultStream::legacy &&
                          !waited(WaitCause::default_stream)},
          {"engines", pipeline && lab.rules.copy_engines == 1 && waited(WaitCause::copy_engine)},
          {"cpu", lab.run.cpu_waits() >= 500000}};
}

void set_picture(const Beats& at, double shown, Stage& stage) {
  const Streams& lab = at.lab;
  Panels panels;
  if (at.beat == "trace") {
    panels.rows = {{1, {walk_panel(lab, *at.window)}}};
  } else if (at.beat == "recorded") {
    panels.rows = {{1, {recorded_panel(lab, at.program, lab.word("as_measured"), common_end(lab, at.program), shown)}}};
  } else if (at.beat == "editor") {
    panels.rows = {{1, {program_panel(lab), schedule_panel(lab, shown)}}};
  } else if (at.beat == "default") {
    const std::string_view inside = Streams::insides[lab.inside];
    panels.rows = {{1, {modes_panel(lab, inside, false, shown), modes_panel(lab, inside, true, shown)}}};
  } else if (at.beat == "events") {
    const double to = common_end(lab, at.program);
    panels.rows = {{1, {expected_panel(lab, at.program, lab.word("as_scheduled"), to, shown)}},
                   {1, {recorded_panel(lab, at.program, lab.word("as_measured"), to, shown)}}};
  } else if (at.beat == "sync") {
    panels.rows = {{1, {series_panel(lab, "sync_after_each", shown), costs_panel(lab)}}};
  } else if (at.beat == "graphs") {
    panels.rows = {{1, {series_panel(lab, "graph", shown)}}};
  } else if (at.beat == "tasks") {
    panels.rows = {{1, {tasks_panel(lab.input, Streams::name, tasks_of(lab))}, true},
                   {1, {result_panel(lab)}, true, true}};
  }
  stage.picture = std::make_shared<const Panels>(std::move(panels));
}

Figure measured_time(double ns) { return Figure::recorded(ns, Unit::nanoseconds, Origin::measured); }

void add_call_facts(const Streams& lab, std::string_view series, FactWriter& facts) {
  const RecordedCalls* const single = lab.record->find("single_launches", 64, lab.kernel_ns);
  const RecordedCalls* const other = lab.record->find(series, 64, lab.kernel_ns);
  if (single == nullptr || other == nullptr) return;
  const bool graph = series == "graph";
  facts.fact("single_total", measured_time(single->total_ns));
  facts.fact(graph ? "graph_total" : "sync_total", measured_time(other->total_ns));
  facts.fact("single_cpu", measured_time(single->cpu_ns));
  facts.fact(graph ? "graph_cpu" : "sync_cpu", measured_time(other->cpu_ns));
  if (!graph) {
    facts.derived("sync_each", (other->total_ns - single->total_ns) / 64, Unit::nanoseconds);
    return;
  }
  facts.derived("per_launch", single->cpu_ns / 64, Unit::nanoseconds);
  facts.derived("per_node", other->cpu_ns / 64, Unit::nanoseconds);
  if (const RecordedCalls* const made = lab.record->find("instantiate", 64, lab.kernel_ns))
    facts.fact("instantiate", measured_time(made->cpu_ns));
}

void add_facts(const Beats& at, FactWriter& facts) {
  const Streams& lab = at.lab;
  const auto schedule_facts = [&](const StreamSchedule& run, const std::vector<StreamStep>& program) {
    facts.derived("end", static_cast<double>(run.end), Unit::nanoseconds);
    facts.derived("overlapped", static_cast<double>(run.overlapped(program)), Unit::nanoseconds);
    facts.derived("cpu_waits", static_cast<double>(run.cpu_waits()), Unit::nanoseconds);
  };
  if (at.beat == "trace") {
    facts.fact("streams_here", facts.recorded(static_cast<double>(at.window->streams.size()), Unit::count));
    facts.derived("window", static_cast<double>(at.window->to - at.window->from), Unit::nanoseconds);
    facts.derived("added", static_cast<double>(at.window->added), Unit::nanoseconds);
    facts.derived("streams_overlapped", static_cast<double>(at.window->overlapped), Unit::nanoseconds);
  } else if (at.beat == "recorded") {
    facts.fact("measured_end", measured_time(measured_end(at.program)));
    facts.derived("measured_overlap", measured_overlap(at.program), Unit::nanoseconds);
  } else if (at.beat == "editor" || at.beat == "tasks") {
    schedule_facts(lab.run, lab.program);
    if (at.beat == "editor" && lab.as_recorded())
      facts.fact("measured_end", measured_time(measured_end(recorded_program(*lab.record, lab.chosen().recorded))));
  } else if (at.beat == "default") {
    for (const std::string_view mode : Streams::modes)
      facts.named(lab.word(fmt::format("mode_{}", mode)),
                  measured_time(measured_end(
                      recorded_program(*lab.record, fmt::format("{}_{}", Streams::insides[lab.inside], mode)))));
  } else if (at.beat == "events") {
    schedule_facts(at.expected, at.program.program);
    facts.fact("measured_end", measured_time(measured_end(at.program)));
  } else if (at.beat == "sync") {
    add_call_facts(lab, "sync_after_each", facts);
  } else if (at.beat == "graphs") {
    add_call_facts(lab, "graph", facts);
  }
}

// The time of the kernels in the legacy mode of the beat's program, which runs them one after the other.
Options end_options(const Streams& lab, const RecordedProgram& program) {
  Options options;
  for (std::size_t i = 0; i < std::size(Streams::modes); ++i) {
    options.words.push_back(lab.word(fmt::format("order_{}", i)));
    options.keys.push_back(fmt::format("order_{}", i));
  }
  // All three at once, the two created streams at once, or one after the other.
  const StreamSchedule run = schedule(program.program, rules_of(lab, program));
  options.right = overlaps(run, 0, 1) ? 0 : overlaps(run, 0, 2) ? 1 : 2;
  return options;
}

Narration::Values values_of(const Beats& at) {
  const Streams& lab = at.lab;
  Narration::Values values = {{"end", time_text(static_cast<double>(lab.run.end))},
                              {"overlapped", time_text(static_cast<double>(lab.run.overlapped(lab.program)))},
                              {"kernel", lab.kernel_ns > 0 ? time_text(lab.kernel_ns) : lab.word("empty_kernel")},
                              {"program", lab.word(fmt::format("preset_{}", lab.chosen().key))}};
  if (at.window) {
    values["window"] = time_text(static_cast<double>(at.window->to - at.window->from));
    values["both"] = time_text(static_cast<double>(at.window->overlapped));
    values["added"] = time_text(static_cast<double>(at.window->added));
    values["n"] = fmt::to_string(at.window->work.size());
    values["percent"] = fmt::format("{:.0f}", 100.0 * static_cast<double>(at.window->overlapped) /
                                                  static_cast<double>(std::max<std::int64_t>(1, at.window->busy)));
  }
  if (!at.program.seen.empty()) {
    values["measured"] = time_text(measured_end(at.program));
    values["both"] = time_text(measured_overlap(at.program));
    values["expected"] = time_text(static_cast<double>(at.expected.end));
  }
  if (lab.record != nullptr) {
    const auto value = [&](std::string_view key, std::string_view what, double count, double kernel_ns, bool cpu) {
      const RecordedCalls* const one = lab.record->find(what, count, kernel_ns);
      values[std::string(key)] = one == nullptr ? "?" : time_text(cpu ? one->cpu_ns : one->total_ns);
    };
    value("idle", "sync_stream_idle", 1, 0, true);
    value("single", "single_launches", 64, lab.kernel_ns, false);
    value("single_cpu", "single_launches", 64, lab.kernel_ns, true);
    value("each", "sync_after_each", 64, lab.kernel_ns, false);
    value("graph", "graph", 64, lab.kernel_ns, false);
    value("graph_cpu", "graph", 64, lab.kernel_ns, true);
    const auto serial = recorded_program(*lab.record, "serial");
    values["serial"] = time_text(measured_end(serial));
  }
  return values;
}

void keep_beat_controls(const std::string& beat, const Streams& lab, Stage& stage) {
  const std::string us = lab.step_control("us", lab.step);
  for (Control& control : stage.controls)
    if (control.name == us) control.label = lab.word("step_time", {{"n", fmt::to_string(lab.step + 1)}});
  if (beat == "editor") {
    if (is_work(lab.program[lab.step].op))
      keep_controls(stage, {"preset", "streams", "default", us});
    else
      keep_controls(stage, {"preset", "streams", "default"});
  } else if (beat == "tasks") {
    keep_controls(stage, {"host", "engines", "call"});
  } else if (beat == "default") {
    keep_controls(stage, {"inside", "other"});
  } else if (beat == "events") {
    keep_controls(stage, {"events"});
  } else if (beat == "sync" || beat == "graphs") {
    keep_controls(stage, {"kernel"});
  } else {
    keep_controls(stage, {});
  }
}

}  // namespace

std::vector<Beat> streams_beats(const Trace& trace, const Walk& walk) {
  return {{stream_window(trace, walk) ? "trace" : "recorded", 0},
          {"editor", 0},
          {"default", 0},
          {"events", 0},
          {"sync", 0},
          {"graphs", 0},
          {"tasks", 0}};
}

Stage streams_lab(const SceneInput& input) {
  Streams lab(input);
  std::vector<Beat> beats = streams_beats(input.trace, input.walk);
  Beat& here = beats[static_cast<std::size_t>(input.moment.value - 1)];
  Beats at{lab, here.key};
  if (at.beat == "trace") at.window = stream_window(input.trace, input.walk);
  if (lab.record != nullptr) {
    const std::string program = at.beat == "default"    ? fmt::format("{}_legacy", Streams::insides[lab.inside])
                                : at.beat == "events"   ? std::string(Streams::events[lab.event])
                                : at.beat == "recorded" ? "two_streams"
                                                        : "";
    at.program = recorded_program(*lab.record, program);
    at.expected = schedule(at.program.program, rules_of(lab, at.program));
  }
  const bool missing = lab.record == nullptr && at.beat != "trace" && at.beat != "editor" && at.beat != "tasks";
  if (missing) here.key = "none";
  if (at.beat == "default" && !missing) here.key = fmt::format("default.{}", Streams::insides[lab.inside]);
  if (at.beat == "events" && !missing) here.key = fmt::format("events.{}", Streams::events[lab.event]);
  if (at.beat == "trace" && at.window->overlapped == 0) here.key = "apart";
  const Narration::Values values = values_of(at);
  Stage stage = common_stage(input, Streams::name, beats, values, "stream");
  FactWriter facts(input, values, stage);
  if (missing) {
    facts.missing("record");
  } else {
    add_facts(at, facts);
    set_picture(at, part(input.moment.phase, 0.05, 0.95), stage);
  }
  stage.controls = lab.controls.take();
  keep_beat_controls(at.beat, lab, stage);
  if (at.beat == "default" && !missing && lab.inside == 0)
    ask(input, values, {"order", "default", end_options(lab, at.program), {}}, stage);
  return stage;
}

}  // namespace warpwalk::story
