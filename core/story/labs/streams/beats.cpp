// Lab: streams: what overlaps, what waits and for what, the default stream, events, synchronization and graphs.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/beats/beat_of.h"
#include "core/story/labs/lab_parts.h"
#include "core/story/labs/labs.h"
#include "core/story/labs/streams/streams.h"

namespace warpwalk::story {
namespace {

// What the beats show, with what some of them read of the trace or of the record.
struct StreamsView {
  Streams lab;
  std::optional<StreamWindow> window = {};  // of the open walk
  RecordedProgram program = {};             // in the record
  StreamSchedule expected = {};             // the same program
  // The controls of the chosen call.
  std::string op = lab.step_control("op", lab.step), stream = lab.step_control("stream", lab.step),
              time = lab.step_control("us", lab.step);

  double progress() const { return part(lab.input.moment.phase, 0.05, 0.95); }  // of the beat's motion
  void read(std::string_view recorded) {
    if (lab.record == nullptr) return;
    program = recorded_program(*lab.record, recorded);
    expected = schedule(program.program, rules_of(lab, program));
  }
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
  const bool in_default =
      std::ranges::any_of(lab.chosen().steps, [](const StreamStep& step) { return step.stream == 0; });
  return {{"beside", lab.rules.pageable && copy_beside_kernel()},
          {"four", most >= 4},
          {"event", waited(WaitCause::event) && !waited(WaitCause::default_stream)},
          {"default", in_default && lab.rules.mode != DefaultStream::legacy && !waited(WaitCause::default_stream)},
          {"engines", lab.chosen().pipeline && lab.rules.copy_engines == 1 && waited(WaitCause::copy_engine)},
          {"cpu", lab.run.cpu_waits() >= 500000}};
}

void add_call_facts(const Streams& lab, std::string_view series, FactWriter& facts) {
  const records::RecordedCalls* const single = lab.record->find("single_launches", 64, lab.kernel_ns);
  const records::RecordedCalls* const other = lab.record->find(series, 64, lab.kernel_ns);
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
  if (const records::RecordedCalls* const made = lab.record->find("instantiate", 64, lab.kernel_ns))
    facts.fact("instantiate", measured_time(made->cpu_ns));
}

void schedule_facts(const StreamSchedule& run, const std::vector<StreamStep>& program, FactWriter& facts) {
  facts.derived("end", static_cast<double>(run.end), Unit::nanoseconds);
  facts.derived("overlapped", static_cast<double>(run.overlapped(program)), Unit::nanoseconds);
  facts.derived("cpu_waits", static_cast<double>(run.cpu_waits()), Unit::nanoseconds);
}

void trace_facts(const StreamsView& at, FactWriter& facts) {
  facts.fact("streams_here", facts.recorded(static_cast<double>(at.window->streams.size()), Unit::count));
  facts.derived("window", static_cast<double>(at.window->to - at.window->from), Unit::nanoseconds);
  facts.derived("added", static_cast<double>(at.window->added), Unit::nanoseconds);
  facts.derived("streams_overlapped", static_cast<double>(at.window->overlapped), Unit::nanoseconds);
}

void recorded_facts(const StreamsView& at, FactWriter& facts) {
  facts.fact("measured_end", measured_time(measured_end(at.program)));
  facts.derived("measured_overlap", measured_overlap(at.program), Unit::nanoseconds);
}

void own_facts(const StreamsView& at, FactWriter& facts) { schedule_facts(at.lab.run, at.lab.program, facts); }

void editor_facts(const StreamsView& at, FactWriter& facts) {
  own_facts(at, facts);
  if (at.lab.as_recorded())
    facts.fact("measured_end", measured_time(measured_end(recorded_program(*at.lab.record, at.lab.chosen().recorded))));
}

void default_facts(const StreamsView& at, FactWriter& facts) {
  for (const std::string_view mode : Streams::modes)
    facts.named(at.lab.word(fmt::format("mode_{}", mode)),
                measured_time(measured_end(
                    recorded_program(*at.lab.record, fmt::format("{}_{}", Streams::insides[at.lab.inside], mode)))));
}

void events_facts(const StreamsView& at, FactWriter& facts) {
  schedule_facts(at.expected, at.program.program, facts);
  facts.fact("measured_end", measured_time(measured_end(at.program)));
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

Narration::Values values_of(const StreamsView& at) {
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
      const records::RecordedCalls* const one = lab.record->find(what, count, kernel_ns);
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

std::optional<MissingData> no_stream_record(const StreamsView& at) {
  return at.lab.record == nullptr ? std::optional(MissingData{"record"}) : std::nullopt;
}

ControlNames kernel_control(const StreamsView&) { return {"kernel"}; }

// Reads what a beat shows besides the lab's own program.
struct StreamsRead {
  void (*read)(StreamsView&) = nullptr;
};

using StreamsBeat = BeatOf<StreamsView, StreamsRead>;

StreamsView streams_view(const Here& here) {
  StreamsView at{Streams(here.input)};
  if (const auto read = here.shown<StreamsBeat>()->more.read; read != nullptr) read(at);
  return at;
}

constexpr Frame<StreamsView, StreamsRead> streams_frame = {
    .subject = streams_view,
    .stop = "stream",
    .values = values_of,
    .complete = [](StreamsView& at, const Narration::Values&, Stage& stage) {
      stage.controls = at.lab.controls.take();
      for (Control& control : stage.controls)
        for (const auto& [name, key] :
             {std::pair{&at.op, "step_op"}, {&at.stream, "step_stream"}, {&at.time, "step_time"}})
          if (control.name == *name) control.label = at.lab.word(key, {{"n", fmt::to_string(at.lab.step + 1)}});
    }};

constexpr StreamsBeat streams_beats[] = {
    {.key = "trace",
     .anchor = [](const WalkTimes& times) -> std::optional<std::int64_t> {
       if (!several_streams_work(times.trace, times.walk)) return {};
       return 0;
     },
     .section = [](const StreamsView& at) -> std::string { return at.window->overlapped == 0 ? "apart" : "trace"; },
     .facts = trace_facts,
     .panels = [](const StreamsView& at) -> PanelRows {
       return {{1, {walk_panel(at.lab, *at.window)}}};
     },
     .controls = no_controls,
     .more = {[](StreamsView& at) { at.window = stream_window(at.lab.input.trace, at.lab.input.walk); }}},
    {.key = "recorded",
     .anchor = [](const WalkTimes& times) -> std::optional<std::int64_t> {
       if (several_streams_work(times.trace, times.walk)) return {};
       return 0;
     },
     .missing = no_stream_record,
     .facts = recorded_facts,
     .panels = [](const StreamsView& at) -> PanelRows {
       return {{1,
                {recorded_panel(at.lab, at.program, at.lab.word("as_measured"), common_end(at.lab, at.program),
                                at.progress())}}};
     },
     .controls = no_controls,
     .more = {[](StreamsView& at) { at.read("two_streams"); }}},
    {.key = "editor",
     .facts = editor_facts,
     .panels = [](const StreamsView& at) -> PanelRows {
       return {{1, {program_panel(at.lab), schedule_panel(at.lab, at.progress())}}};
     },
     .controls =
         [](const StreamsView& at) {
           const StreamOp op = at.lab.program[at.lab.step].op;
           ControlNames names = {"preset", "streams", "default", at.op};
           if (op != StreamOp::none && op != StreamOp::sync_device) names.push_back(at.stream);
           if (is_work(op)) names.push_back(at.time);
           return names;
         }},
    {.key = "default",
     .missing = no_stream_record,
     .section = [](const StreamsView& at) { return fmt::format("default.{}", Streams::insides[at.lab.inside]); },
     .facts = default_facts,
     .panels = [](const StreamsView& at) -> PanelRows {
       const std::string_view inside = Streams::insides[at.lab.inside];
       return {
           {1, {modes_panel(at.lab, inside, false, at.progress()), modes_panel(at.lab, inside, true, at.progress())}}};
     },
     .controls = [](const StreamsView&) -> ControlNames {
       return {"inside", "other"};
     },
     .question = [](const StreamsView& at) -> std::optional<Ask> {
       if (at.lab.inside != 0) return {};
       return Ask{"order", "default", end_options(at.lab, at.program), {}};
     },
     .more = {[](StreamsView& at) { at.read(fmt::format("{}_legacy", Streams::insides[at.lab.inside])); }}},
    {.key = "events",
     .missing = no_stream_record,
     .section = [](const StreamsView& at) { return fmt::format("events.{}", Streams::events[at.lab.event]); },
     .facts = events_facts,
     .panels = [](const StreamsView& at) -> PanelRows {
       const double to = common_end(at.lab, at.program);
       return {{1, {expected_panel(at.lab, at.program, at.lab.word("as_scheduled"), to, at.progress())}},
               {1, {recorded_panel(at.lab, at.program, at.lab.word("as_measured"), to, at.progress())}}};
     },
     .controls = [](const StreamsView&) -> ControlNames { return {"events"}; },
     .more = {[](StreamsView& at) { at.read(Streams::events[at.lab.event]); }}},
    {.key = "sync",
     .missing = no_stream_record,
     .facts = [](const StreamsView& at, FactWriter& facts) { add_call_facts(at.lab, "sync_after_each", facts); },
     .panels = [](const StreamsView& at) -> PanelRows {
       return {{1, {series_panel(at.lab, "sync_after_each", at.progress()), costs_panel(at.lab)}}};
     },
     .controls = kernel_control},
    {.key = "graphs",
     .missing = no_stream_record,
     .facts = [](const StreamsView& at, FactWriter& facts) { add_call_facts(at.lab, "graph", facts); },
     .panels = [](const StreamsView& at) -> PanelRows {
       return {{1, {series_panel(at.lab, "graph", at.progress())}}};
     },
     .controls = kernel_control},
    {.key = "tasks",
     .facts = own_facts,
     .panels = [](const StreamsView& at) -> PanelRows {
       return {{1, {tasks_panel(at.lab.input, Streams::name, tasks_of(at.lab))}, true},
               {1, {result_panel(at.lab)}, true, true}};
     },
     .controls = [](const StreamsView&) -> ControlNames {
       return {"host", "engines", "call"};
     }}};

}  // namespace

const Contents& streams_lab() {
  static const BeatTable table(Streams::name, streams_frame, streams_beats);
  return table;
}

}  // namespace warpwalk::story
