#pragma once

// Common to all parts of the lab "streams": the settings, the data derived from them and from the trace, and the
// pictures.
#include <optional>
#include <vector>

#include "core/records/stream_record.h"
#include "core/story/elements/walk.h"
#include "core/story/labs/lab_parts.h"
#include "core/story/labs/streams/schedule.h"
#include "core/story/pictures/panels.h"

namespace warpwalk::story {

/// A program to start the editor with.
struct StreamPreset {
  std::string_view key;       ///< of its word: "two_streams"
  std::string_view recorded;  ///< the same program in the record; empty if there is none
  int streams = 2;            ///< besides the default one
  DefaultStream mode = DefaultStream::legacy;
  bool pageable = false;
  std::vector<StreamStep> steps;
  bool pipeline = false;  ///< chunks that are copied in, worked on and copied out
};
const std::vector<StreamPreset>& stream_presets();

/// A program of the record, as the scheduler takes it. Copies take as long as the program asked for.
struct RecordedProgram {
  std::vector<records::RecordedStep> seen;  ///< empty if it was not recorded
  std::vector<StreamStep> program;
  DefaultStream mode = DefaultStream::legacy;
  bool pageable = false;
};
RecordedProgram recorded_program(const records::StreamRecord& record, std::string_view name);

/// The calls that a program of the lab can contain, in the order of their control.
struct StreamChoice {
  std::string_view key;  ///< of its word
  StreamOp op;
  int quarters = 1;
};
inline constexpr StreamChoice stream_choices[] = {
    {"none", StreamOp::none},
    {"copy_in", StreamOp::copy_in},
    {"quarter", StreamOp::kernel, 1},
    {"half", StreamOp::kernel, 2},
    {"three_quarters", StreamOp::kernel, 3},
    {"all", StreamOp::kernel, 4},
    {"copy_out", StreamOp::copy_out},
    {"record", StreamOp::record},
    {"wait", StreamOp::wait},
    {"sync_stream", StreamOp::sync_stream},
    {"sync_device", StreamOp::sync_device},
};
/// Index into stream_choices.
std::size_t choice_of(const StreamStep& step);

/// The settings of the lab, and the program that they make.
struct Streams {
  static constexpr std::string_view name = "lab/streams";
  static constexpr std::size_t most_steps = 12;
  static constexpr int most_streams = 4;

  const SceneInput& input;
  const records::StreamRecord* record;  ///< null if there is none
  ControlSet controls{input, name};
  std::size_t preset = 0;
  int streams = 2;
  StreamRules rules;
  std::vector<StreamStep> program;  ///< most_steps of them
  std::size_t step = 0;             ///< the chosen one
  std::size_t inside = 0;           ///< what the default stream is given in its beat
  std::size_t other = 0;            ///< kind of default stream beside the legacy one, in the same beat: 0 or 1
  std::size_t event = 0;            ///< program of the beat about events
  double kernel_ns = 0;             ///< of the measured series
  StreamSchedule run;

  explicit Streams(const SceneInput& in);

  std::string word(std::string_view key, const Narration::Values& values = {}) const;
  const StreamPreset& chosen() const { return stream_presets()[preset]; }
  /// The name of a control of one step of the chosen preset: "p1_op3".
  std::string step_control(std::string_view what, std::size_t i) const;
  /// The program and the rules are those of the preset, except for the CPU's time per call.
  bool as_recorded() const;
  /// "copy to the GPU", "kernel on 1/2 of the SMs".
  std::string step_word(const StreamStep& step) const;
  std::string stream_word(int stream, DefaultStream mode) const;
  /// Calls that the program makes.
  std::size_t calls() const;

  /// Programs of the beats about the default stream and about events.
  static constexpr std::string_view insides[] = {"default", "default_copy", "default_event", "default_sync"};
  static constexpr std::string_view modes[] = {"legacy", "non_blocking", "per_thread"};
  static constexpr std::string_view events[] = {"event", "recorded_again", "unrecorded"};
  /// ns of the kernels in the measured series.
  static constexpr double kernel_times[] = {0, 2000, 5000, 10000, 20000};
  /// The CPU's time per call in the lab's programs, measured: a kernel launch.
  std::int64_t measured_call() const;

 private:
  void make_program();
};

/// The part of a trace in which streams of one GPU overlap.
struct StreamWindow {
  std::vector<trace::TrackId> streams;
  std::vector<SliceId> work;      ///< copies, fills and kernels, by start
  std::int64_t from = 0, to = 0;  ///< ns since the trace's base: from the first start to the last end
  std::int64_t overlapped = 0;    ///< ns in which work of at least two streams ran
  std::int64_t busy = 0;          ///< ns in which any of it ran
  std::int64_t added = 0;         ///< durations of the work
};

/// Whether at least two streams of the followed work's GPU worked.
bool several_streams_work(const Trace& trace, const Walk& walk);
/// The first operations of different streams that overlap, with those that follow; if none do, the first operations.
/// None if several_streams_work() is false. Reads a bounded part of the trace.
std::optional<StreamWindow> stream_window(const Trace& trace, const Walk& walk);

/// The program as CUDA calls, in the order of the CPU. A click chooses one.
Panel program_panel(const Streams& lab);
/// The CPU, the streams and the units of the GPU over time. `shown`: 0 to 1.
Panel schedule_panel(const Streams& lab, double shown);
/// The streams of the open walk around the first operations that overlap.
Panel walk_panel(const Streams& lab, const StreamWindow& window);
/// A recorded program: the CPU and its streams.
Panel recorded_panel(const Streams& lab, const RecordedProgram& program, std::string heading, double to, double shown);
/// A program of the record as the scheduler expects it.
Panel expected_panel(const Streams& lab, const RecordedProgram& program, std::string heading, double to, double shown);
/// The program of a beat for the legacy default stream and the kind beside it, scheduled or as measured.
Panel modes_panel(const Streams& lab, std::string_view program, bool measured, double shown);
/// Kernels across, time upwards: the series "sync_after_each" or "graph" beside launches one by one.
Panel series_panel(const Streams& lab, std::string_view series, double shown);
/// The CPU time of single calls.
Panel costs_panel(const Streams& lab);
/// The settings' times, for the tasks.
Panel result_panel(const Streams& lab);

/// The end of the later of the two, with some room: one axis for both pictures.
double common_end(const Streams& lab, const RecordedProgram& program);
/// The rules under which a recorded program ran.
StreamRules rules_of(const Streams& lab, const RecordedProgram& program);
/// ns from the first call to the end of the last operation or call.
double measured_end(const RecordedProgram& program);
/// ns in which at least two copies or kernels of it ran.
double measured_overlap(const RecordedProgram& program);

}  // namespace warpwalk::story
