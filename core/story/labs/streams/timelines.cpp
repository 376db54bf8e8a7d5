// Pictures over time of the lab "streams".
#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "core/analysis/slices.h"
#include "core/story/facts/words/rows.h"
#include "core/story/labs/streams/streams.h"

namespace warpwalk::story {
namespace {

Role role_of(StreamOp op) { return is_copy(op) ? Role::copy : Role::kernel; }

// Adds bars up to a moment, which moves with the motion.
class Bars {
 public:
  Bars(const Streams& lab, double to, double shown) : lab_(lab), until_(std::llround(to * shown)) {
    picture_.to = to;
    for (const auto& [role, key] :
         {std::pair{Role::launch, "calls"}, {Role::copy, "copies"}, {Role::kernel, "kernels"}, {Role::wait, "waits"}})
      picture_.legend.emplace_back(role, lab.word(key));
  }

  // Beside a picture whose legend has the same colours.
  void without_legend() { picture_.legend.clear(); }
  void group(std::string name) { picture_.groups.push_back({std::move(name), {}}); }
  void row(std::string name) { picture_.groups.back().rows.push_back({std::move(name), {}}); }
  void bar(std::string label, double from, double to, Role role) {
    Bar one;
    one.start = std::llround(from);
    one.end = std::min<std::int64_t>(std::llround(to), until_);
    if (one.start > until_) return;
    one.label = std::move(label);
    one.role = role;
    one.followed = role != Role::wait;
    picture_.groups.back().rows.back().bars.push_back(std::move(one));
  }
  // Labels need the bars of a row in order.
  TimelinePicture take() {
    for (RowGroup& group : picture_.groups)
      for (Row& row : group.rows) std::ranges::stable_sort(row.bars, {}, &Bar::start);
    return std::move(picture_);
  }

 private:
  const Streams& lab_;
  std::int64_t until_;
  TimelinePicture picture_;
};

std::string numbered(const Streams& lab, std::size_t i, const StreamStep& step) {
  return fmt::format("{} {}", i + 1,
                     lab.word(step.op == StreamOp::copy_in    ? "in"
                              : step.op == StreamOp::copy_out ? "out"
                                                              : "kernel"));
}

int streams_of(const std::vector<StreamStep>& program) {
  int most = 1;
  for (const StreamStep& step : program)
    if (step.op != StreamOp::none) most = std::max(most, step.stream);
  return most;
}

bool uses_default(const std::vector<StreamStep>& program) {
  return std::ranges::any_of(program, [](const StreamStep& step) {
    return step.op != StreamOp::none && step.op != StreamOp::sync_device && step.stream == 0;
  });
}

void add_cpu(const Streams& lab, const std::vector<StreamStep>& program, const StreamSchedule& run, Bars& bars) {
  bars.row(lab.word("thread"));
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (program[i].op == StreamOp::none) continue;
    const StepRun& one = run.steps[i];
    bars.bar("", static_cast<double>(one.call), static_cast<double>(one.issued), Role::launch);
    if (one.returned > one.issued)
      bars.bar(lab.word(is_copy(program[i].op) ? "cause_copy" : "cause_synchronize"), static_cast<double>(one.issued),
               static_cast<double>(one.returned), Role::wait);
  }
}

void add_stream(const Streams& lab, const std::vector<StreamStep>& program, const StreamSchedule& run, int stream,
                Bars& bars) {
  static constexpr std::string_view causes[] = {"stream", "default_stream", "event",      "copy_engine",
                                                "sms",    "copy",           "synchronize"};
  for (std::size_t i = 0; i < program.size(); ++i) {
    const StreamStep& step = program[i];
    if (!is_queued(step.op) || step.stream != stream) continue;
    const StepRun& one = run.steps[i];
    // Waiting for the operation before in the same stream shows as that operation's bar.
    for (const StreamWait& wait : one.waits)
      if (wait.cause != WaitCause::stream)
        bars.bar(lab.word(fmt::format("cause_{}", causes[static_cast<std::size_t>(wait.cause)])),
                 static_cast<double>(wait.from), static_cast<double>(wait.to), Role::wait);
    if (is_work(step.op))
      bars.bar(numbered(lab, i, step), static_cast<double>(one.start), static_cast<double>(one.end), role_of(step.op));
  }
}

void add_streams(const Streams& lab, const std::vector<StreamStep>& program, const StreamSchedule& run,
                 DefaultStream mode, int streams, bool with_default, Bars& bars) {
  for (int stream = with_default ? 0 : 1; stream <= streams; ++stream) {
    bars.row(lab.stream_word(stream, mode));
    add_stream(lab, program, run, stream, bars);
  }
}

void add_units(const Streams& lab, const std::vector<StreamStep>& program, const StreamSchedule& run, int engines,
               Bars& bars) {
  for (int engine = 0; engine < engines; ++engine) {
    const auto runs = [&](const StreamStep& step) {
      return is_copy(step.op) && (engines == 1 || (step.op == StreamOp::copy_out) == (engine == 1));
    };
    if (std::ranges::none_of(program, runs)) continue;
    bars.row(lab.word(engines == 1 ? "engine" : engine == 0 ? "engine_in" : "engine_out"));
    for (std::size_t i = 0; i < program.size(); ++i)
      if (runs(program[i]))
        bars.bar(fmt::to_string(i + 1), static_cast<double>(run.steps[i].start), static_cast<double>(run.steps[i].end),
                 Role::copy);
  }
  // Neighbouring parts of the SMs that run the same kernels at the same times are one row.
  const auto shares_of = [&](int quarter) {
    std::vector<std::tuple<std::size_t, std::int64_t, std::int64_t>> shares;
    for (std::size_t i = 0; i < program.size(); ++i)
      for (const SmShare& share : run.steps[i].shares)
        if (share.quarter == quarter) shares.emplace_back(i, share.from, share.to);
    return shares;
  };
  for (int quarter = 0, last = 0; quarter < 4; quarter = last + 1) {
    for (last = quarter; last < 3 && shares_of(last + 1) == shares_of(quarter);) ++last;
    bars.row(last == quarter
                 ? lab.word("quarter", {{"n", fmt::to_string(quarter + 1)}})
                 : lab.word("quarters", {{"from", fmt::to_string(quarter + 1)}, {"to", fmt::to_string(last + 1)}}));
    for (const auto& [i, from, to] : shares_of(quarter))
      bars.bar(fmt::to_string(i + 1), static_cast<double>(from), static_cast<double>(to), Role::kernel);
  }
}

void add_recorded(const Streams& lab, const RecordedProgram& program, int stream, Bars& bars) {
  for (std::size_t i = 0; i < program.seen.size(); ++i) {
    const records::RecordedStep& seen = program.seen[i];
    if (seen.stream == stream && seen.start && seen.end)
      bars.bar(numbered(lab, i, program.program[i]), *seen.start, *seen.end, role_of(program.program[i].op));
  }
}

}  // namespace

StreamRules rules_of(const Streams& lab, const RecordedProgram& program) {
  return {program.mode, program.pageable, 2, lab.measured_call()};
}

double measured_end(const RecordedProgram& program) {
  double end = 0;
  for (const records::RecordedStep& step : program.seen) end = std::max({end, step.returned, step.end.value_or(0)});
  return end;
}

double measured_overlap(const RecordedProgram& program) {
  std::vector<std::pair<double, int>> changes;
  for (const records::RecordedStep& step : program.seen)
    if (step.start && step.end) {
      changes.emplace_back(*step.start, 1);
      changes.emplace_back(*step.end, -1);
    }
  std::ranges::sort(changes);
  double total = 0, since = 0;
  int running = 0;
  for (const auto& [time, change] : changes) {
    if (running > 1) total += time - since;
    running += change;
    since = time;
  }
  return total;
}

double common_end(const Streams& lab, const RecordedProgram& program) {
  const auto expected = static_cast<double>(schedule(program.program, rules_of(lab, program)).end);
  return std::max({1000.0, expected, measured_end(program)}) * 1.02;
}

Panel schedule_panel(const Streams& lab, double shown) {
  Bars bars(lab, std::max(1000.0, static_cast<double>(lab.run.end) * 1.02), shown);
  bars.without_legend();
  bars.group(lab.word("follows"));
  add_cpu(lab, lab.program, lab.run, bars);
  add_streams(lab, lab.program, lab.run, lab.rules.mode, lab.streams, uses_default(lab.program), bars);
  add_units(lab, lab.program, lab.run, lab.rules.copy_engines, bars);
  return {"", 1.5, bars.take()};
}

Panel expected_panel(const Streams& lab, const RecordedProgram& program, std::string heading, double to, double shown) {
  const StreamSchedule run = schedule(program.program, rules_of(lab, program));
  Bars bars(lab, to, shown);
  bars.group(std::move(heading));
  add_cpu(lab, program.program, run, bars);
  add_streams(lab, program.program, run, program.mode, streams_of(program.program), uses_default(program.program),
              bars);
  return {"", 1, bars.take()};
}

Panel recorded_panel(const Streams& lab, const RecordedProgram& program, std::string heading, double to, double shown) {
  Bars bars(lab, to, shown);
  bars.group(std::move(heading));
  bars.row(lab.word("thread"));
  for (std::size_t i = 0; i < program.seen.size(); ++i) {
    const records::RecordedStep& seen = program.seen[i];
    const StreamOp op = program.program[i].op;
    const bool waits = op == StreamOp::sync_stream || op == StreamOp::sync_device || (is_copy(op) && program.pageable);
    bars.bar(waits ? lab.word(is_copy(op) ? "cause_copy" : "cause_synchronize") : "", seen.call, seen.returned,
             waits ? Role::wait : Role::launch);
  }
  for (int stream = uses_default(program.program) ? 0 : 1; stream <= streams_of(program.program); ++stream) {
    bars.row(lab.stream_word(stream, program.mode));
    add_recorded(lab, program, stream, bars);
  }
  return {"", 1, bars.take()};
}

Panel modes_panel(const Streams& lab, std::string_view program, bool measured, double shown) {
  double to = 0;
  std::vector<RecordedProgram> programs;
  const std::string_view modes[] = {Streams::modes[0], Streams::modes[1 + lab.other]};
  for (const std::string_view mode : modes) {
    programs.push_back(recorded_program(*lab.record, fmt::format("{}_{}", program, mode)));
    to = std::max(to, common_end(lab, programs.back()));
  }
  Bars bars(lab, to, shown);
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const RecordedProgram& one = programs[i];
    bars.group(lab.word(fmt::format("mode_{}", modes[i])));
    const StreamSchedule run = schedule(one.program, rules_of(lab, one));
    for (const int stream : {1, 0, 2}) {
      bars.row(lab.stream_word(stream, one.mode));
      if (measured)
        add_recorded(lab, one, stream, bars);
      else
        add_stream(lab, one.program, run, stream, bars);
      // These pictures have no row for the CPU: it waits in the row of the stream that it waits for.
      for (std::size_t k = 0; k < one.program.size(); ++k)
        if (one.program[k].op == StreamOp::sync_stream && one.program[k].stream == stream)
          bars.bar(lab.word("cause_synchronize"), measured ? one.seen[k].call : static_cast<double>(run.steps[k].call),
                   measured ? one.seen[k].returned : static_cast<double>(run.steps[k].returned), Role::wait);
    }
  }
  return {lab.word(measured ? "as_measured" : "as_scheduled"), 1, bars.take()};
}

Panel walk_panel(const Streams& lab, const StreamWindow& window) {
  const Trace& trace = lab.input.trace;
  TimelinePicture picture;
  const std::int64_t room = std::max<std::int64_t>(1, (window.to - window.from) / 50);
  picture.from = static_cast<double>(analysis::since_start(trace, window.from - room));
  picture.to = static_cast<double>(analysis::since_start(trace, window.to + room));
  RowGroup& group = picture.groups.emplace_back();
  group.name = device_label(lab.input.narration, trace, trace.tracks[window.streams.front()].device);
  for (const trace::TrackId track : window.streams) {
    Row row{lab.word("stream", {{"n", analysis::stream_name(trace, track)}}), {}};
    for (const SliceId s : window.work) {
      if (trace.slices.track[s] != track) continue;
      Bar& bar = row.bars.emplace_back();
      bar.slice = s;
      // The profilers' names of copies, "Memcpy HtoD (Pinned -> Device)", are too long for most bars.
      const std::string label = analysis::label_of(trace, s);
      bar.label = label.find("HtoD") != std::string::npos   ? lab.word("in")
                  : label.find("DtoH") != std::string::npos ? lab.word("out")
                                                            : label;
      bar.start = analysis::since_start(trace, trace.slices.start[s]);
      bar.end = analysis::since_start(trace, trace.slices.end(s));
      bar.role = story::role_of(trace, s, {});
      bar.followed = true;
    }
    if (!row.bars.empty()) group.rows.push_back(std::move(row));
  }
  for (const auto& [role, key] : {std::pair{Role::copy, "copies"}, {Role::kernel, "kernels"}, {Role::fill, "fills"}})
    picture.legend.emplace_back(role, lab.word(key));
  return {"", 1, std::move(picture)};
}

}  // namespace warpwalk::story
