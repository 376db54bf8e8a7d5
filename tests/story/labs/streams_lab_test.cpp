// The scheduler of the lab "streams" against a simulation that goes through time in unit steps, with counters of
// finished operations in place of dependencies, and against the programs that an H200 ran
// (assets/devices/h200_streams.csv).
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <optional>
#include <random>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/records/stream_record.h"
#include "core/story/labs/streams/schedule.h"
#include "core/story/labs/streams/streams.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

struct Seen {
  std::int64_t issued = 0, returned = 0, start = 0, end = 0;
};

// Each stream counts what entered it and what left it. An operation knows how far the counters must be.
class BySteps {
 public:
  BySteps(const std::vector<StreamStep>& program, const StreamRules& rules) : program_(program), rules_(rules) {
    seen_.resize(program.size());
    goals_.resize(program.size());
    left_to_place_.resize(program.size());
    open_.resize(program.size());
    for (const StreamStep& step : program) todo_ += is_queued(step.op);
  }

  std::vector<Seen> run() {
    skip_empty();
    for (now_ = 0; at_ < program_.size() || todo_ > 0; ++now_) {
      for (auto& engine : engines_)
        if (engine.busy && --engine.left == 0) {
          finish(*engine.busy);
          engine.busy.reset();
        }
      for (auto& part : parts_)
        if (part.busy && --part.left == 0) {
          const std::size_t i = *part.busy;
          part.busy.reset();
          if (--open_[i] == 0) finish(i);
        }
      for (bool again = true; again;) again = cpu() | heads();
      std::ranges::sort(fresh_);
      for (const std::size_t i : fresh_) {
        const StreamOp op = program_[i].op;
        if (op == StreamOp::kernel) {
          left_to_place_[i] = open_[i] = program_[i].quarters;
          kernels_.push_back(i);
        } else {
          engines_[rules_.copy_engines == 2 && op == StreamOp::copy_out ? 1 : 0].queue.push_back(i);
        }
      }
      fresh_.clear();
      for (auto& engine : engines_)
        if (!engine.busy && !engine.queue.empty()) {
          engine.busy = engine.queue.front();
          engine.queue.pop_front();
          engine.left = program_[*engine.busy].ns;
          seen_[*engine.busy].start = now_;
        }
      for (auto& part : parts_)
        if (!part.busy && !kernels_.empty()) {
          const std::size_t i = kernels_.front();
          if (left_to_place_[i] == program_[i].quarters) seen_[i].start = now_;
          part.busy = i;
          part.left = program_[i].ns;
          if (--left_to_place_[i] == 0) kernels_.pop_front();
        }
      if (now_ > 100000) return {};
    }
    return seen_;
  }

 private:
  struct Unit {
    std::optional<std::size_t> busy;
    std::int64_t left = 0;
    std::deque<std::size_t> queue;
  };

  void skip_empty() {
    while (at_ < program_.size() && program_[at_].op == StreamOp::none) ++at_;
    spent_ = 0;
    issued_ = false;
  }

  void finish(std::size_t i) {
    ++left_[static_cast<std::size_t>(program_[i].stream)];
    seen_[i].end = now_;
    --todo_;
    done_.push_back(i);
  }

  bool is_done(std::size_t i) const { return std::ranges::find(done_, i) != done_.end(); }

  // One visit per unit of time spends a unit of the call.
  bool cpu() {
    if (at_ == program_.size()) return false;
    if (last_visit_ != now_) {
      last_visit_ = now_;
      if (now_ > 0) ++spent_;
    }
    if (spent_ < rules_.call) return false;
    const StreamStep& step = program_[at_];
    bool changed = false;
    if (!issued_) {
      issued_ = changed = true;
      seen_[at_].issued = now_;
      const auto own = static_cast<std::size_t>(step.stream);
      if (is_queued(step.op)) {
        std::array<int, 5> goal{};
        goal[own] = entered_[own];
        if (rules_.mode == DefaultStream::legacy) {
          if (own == 0) goal = entered_;
          goal[0] = std::max(goal[0], entered_[0]);
        }
        if (step.op == StreamOp::wait && event_) goal[event_->first] = std::max(goal[event_->first], event_->second);
        goals_[at_] = goal;
        ++entered_[own];
        if (step.op == StreamOp::record) event_ = {own, entered_[own]};
        streams_[own].push_back(at_);
      } else {
        goal_of_cpu_ = {};
        if (step.op == StreamOp::sync_device || (own == 0 && rules_.mode == DefaultStream::legacy))
          goal_of_cpu_ = entered_;
        else
          goal_of_cpu_[own] = entered_[own];
      }
    }
    if (!is_queued(step.op) && !reached(goal_of_cpu_)) return changed;
    if (is_copy(step.op) && rules_.pageable && !is_done(at_)) return changed;
    seen_[at_].returned = now_;
    ++at_;
    skip_empty();
    return true;
  }

  bool reached(const std::array<int, 5>& goal) const {
    for (std::size_t s = 0; s < goal.size(); ++s)
      if (left_[s] < goal[s]) return false;
    return true;
  }

  bool heads() {
    bool changed = false;
    for (auto& queue : streams_)
      if (!queue.empty() && reached(goals_[queue.front()])) {
        const std::size_t i = queue.front();
        queue.pop_front();
        changed = true;
        if (is_work(program_[i].op)) {
          fresh_.push_back(i);
        } else {
          seen_[i].start = now_;
          finish(i);
        }
      }
    return changed;
  }

  const std::vector<StreamStep>& program_;
  const StreamRules& rules_;
  std::vector<Seen> seen_;
  std::vector<std::array<int, 5>> goals_;
  std::vector<int> left_to_place_, open_;
  std::array<std::deque<std::size_t>, 5> streams_;
  std::array<int, 5> entered_{}, left_{}, goal_of_cpu_{};
  std::optional<std::pair<std::size_t, int>> event_;
  std::array<Unit, 2> engines_;
  std::array<Unit, 4> parts_;
  std::deque<std::size_t> kernels_;
  std::vector<std::size_t> fresh_, done_;
  std::size_t at_ = 0;
  std::int64_t now_ = 0, spent_ = 0, last_visit_ = -1;
  std::size_t todo_ = 0;
  bool issued_ = false;
};

std::string text_of_program(const std::vector<StreamStep>& program) {
  std::string text;
  for (const StreamStep& step : program)
    text += fmt::format("{}:{}:{}:{} ", static_cast<int>(step.op), step.stream, step.quarters, step.ns);
  return text;
}

TEST(StreamSchedule, IsThatOfASimulationInUnitSteps) {
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  int waited[wait_causes] = {};
  for (int round = 0; round < 6000; ++round) {
    StreamRules rules{static_cast<DefaultStream>(below(3)), below(3) == 0, 1 + below(2), 1 + below(4)};
    std::vector<StreamStep> program(static_cast<std::size_t>(1 + below(12)));
    for (StreamStep& step : program) {
      constexpr StreamOp ops[] = {StreamOp::none,   StreamOp::copy_in,     StreamOp::copy_in,    StreamOp::kernel,
                                  StreamOp::kernel, StreamOp::kernel,      StreamOp::copy_out,   StreamOp::copy_out,
                                  StreamOp::record, StreamOp::record,      StreamOp::wait,       StreamOp::wait,
                                  StreamOp::wait,   StreamOp::sync_stream, StreamOp::sync_device};
      step = {ops[below(std::size(ops))], below(5), 1 + below(4), 1 + below(12)};
    }
    const StreamSchedule got = schedule(program, rules);
    const std::vector<Seen> want = BySteps(program, rules).run();
    ASSERT_EQ(want.size(), program.size()) << text_of_program(program);
    std::int64_t last = 0;
    for (std::size_t i = 0; i < program.size(); ++i) {
      if (program[i].op == StreamOp::none) continue;
      const StepRun& run = got.steps[i];
      const std::string where =
          fmt::format("{}mode {} pageable {} engines {} call {}, step {}", text_of_program(program),
                      static_cast<int>(rules.mode), rules.pageable, rules.copy_engines, rules.call, i);
      ASSERT_EQ(run.issued, want[i].issued) << where;
      ASSERT_EQ(run.returned, want[i].returned) << where;
      ASSERT_EQ(run.start, want[i].start) << where;
      ASSERT_EQ(run.end, want[i].end) << where;
      last = std::max({last, want[i].end, want[i].returned});
      std::int64_t at = run.issued;
      for (const StreamWait& wait : run.waits) {
        ASSERT_EQ(wait.from, at) << where;
        ASSERT_GT(wait.to, wait.from) << where;
        at = wait.to;
        ++waited[static_cast<std::size_t>(wait.cause)];
      }
      if (is_queued(program[i].op)) {
        ASSERT_EQ(at, run.start) << where;
      }
      // A quarter of the SMs has one block at a time.
      for (const SmShare& share : run.shares) {
        ASSERT_EQ(share.to - share.from, program[i].ns);
        for (std::size_t other = 0; other < i; ++other)
          for (const SmShare& taken : got.steps[other].shares)
            ASSERT_TRUE(taken.quarter != share.quarter || taken.to <= share.from || share.to <= taken.from) << where;
      }
    }
    ASSERT_EQ(got.end, last) << text_of_program(program);
  }
  for (const WaitCause cause :
       {WaitCause::stream, WaitCause::default_stream, WaitCause::event, WaitCause::copy_engine, WaitCause::sms})
    EXPECT_GT(waited[static_cast<std::size_t>(cause)], 50) << static_cast<int>(cause);
}

TEST(StreamSchedule, OverlapIsCountedByHand) {
  // Two kernels on half of the SMs each, issued 10 ns apart, and one on all of them afterwards.
  const std::vector<StreamStep> program = {
      {StreamOp::kernel, 1, 2, 100}, {StreamOp::kernel, 2, 2, 100}, {StreamOp::kernel, 3, 4, 50}};
  const StreamSchedule run = schedule(program, {DefaultStream::legacy, false, 2, 10});
  EXPECT_EQ(run.steps[0].start, 10);
  EXPECT_EQ(run.steps[1].start, 20);
  EXPECT_EQ(run.steps[2].start, 110);  // half of it; the rest when the second kernel has ended
  EXPECT_EQ(run.steps[2].end, 170);
  EXPECT_EQ(run.overlapped(program), 90 + 10);
  EXPECT_EQ(run.end, 170);
  EXPECT_EQ(run.cpu_waits(), 0);
  const std::vector<StreamStep> waiting = {{StreamOp::kernel, 1, 1, 100}, {StreamOp::sync_device, 0, 1, 1}};
  EXPECT_EQ(schedule(waiting, {DefaultStream::legacy, false, 2, 10}).cpu_waits(), 90);
  EXPECT_EQ(schedule({}, {}).end, 0);
}

// How two operations stand to each other: which starts first, which ends first, and whether the first one starts after
// the other one's end. Positive: later.
std::array<double, 3> relation(double start, double end, double other_start, double other_end) {
  return {start - other_end, start - other_start, end - other_end};
}

TEST(StreamSchedule, AgreesWithTheProgramsThatAnH200Ran) {
  ASSERT_NE(hardware().streams, nullptr);
  const records::StreamRecord& record = *hardware().streams;
  std::vector<std::string> names;
  for (const records::RecordedStep& step : record.steps)
    if (names.empty() || names.back() != step.program) names.push_back(step.program);
  ASSERT_GT(names.size(), 50u);
  int compared = 0, differ = 0;
  for (const std::string& name : names) {
    const RecordedProgram program = recorded_program(record, name);
    const StreamSchedule expected = schedule(program.program, {program.mode, program.pageable, 2, 4000});
    for (std::size_t i = 0; i < program.program.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const records::RecordedStep &a = program.seen[i], &b = program.seen[j];
        if (!a.start || !b.start) continue;
        const StepRun &x = expected.steps[i], &y = expected.steps[j];
        const auto want = relation(static_cast<double>(x.start), static_cast<double>(x.end),
                                   static_cast<double>(y.start), static_cast<double>(y.end));
        const auto got = relation(*a.start, *a.end, *b.start, *b.end);
        for (std::size_t k = 0; k < want.size(); ++k) {
          // Launches, transfers at once and clocks shift times by some tens of microseconds.
          if (std::abs(want[k]) < 80000) continue;
          ++compared;
          const bool same = (want[k] > 0) == (got[k] > 0);
          differ += !same;
          // Random programs may let two operations wait for the same unit at once. CUDA does not say which goes first.
          EXPECT_TRUE(same || name.starts_with("random")) << name << ": steps " << j + 1 << " and " << i + 1;
        }
      }
  }
  EXPECT_GT(compared, 2000);
  EXPECT_LT(differ * 100, compared);
}

TEST(StreamsLab, ThePresetsAreTheRecordedPrograms) {
  for (const StreamPreset& preset : stream_presets()) {
    if (preset.recorded.empty()) continue;
    const RecordedProgram program = recorded_program(*hardware().streams, preset.recorded);
    ASSERT_EQ(program.program.size(), preset.steps.size()) << preset.key;
    EXPECT_EQ(program.mode, preset.mode);
    EXPECT_EQ(program.pageable, preset.pageable);
    for (std::size_t i = 0; i < preset.steps.size(); ++i) {
      EXPECT_EQ(program.program[i].op, preset.steps[i].op) << preset.key << " " << i;
      EXPECT_EQ(program.program[i].stream, preset.steps[i].stream) << preset.key << " " << i;
      if (is_work(preset.steps[i].op)) {
        EXPECT_EQ(program.program[i].ns, preset.steps[i].ns) << preset.key << " " << i;
      }
      if (preset.steps[i].op == StreamOp::kernel) {
        EXPECT_EQ(program.program[i].quarters, preset.steps[i].quarters);
      }
      EXPECT_LE(preset.steps[i].stream, preset.streams);
    }
  }
}

TEST(StreamsLab, TheEditorMakesTheProgramThatIsSet) {
  // One stream: every operation after the one before, 1,400 µs of work after one call of 4 µs.
  const Stage serial = lab_with("lab/streams", 2, {{"preset", 0}, {"call", 4}});
  EXPECT_EQ(fact_text(serial, "All of it"), "1,404.0 µs");
  EXPECT_EQ(fact_text(serial, "Two operations at once"), "0 ns");
  // Two streams on the same program: in 4 .. 204, kernel .. 504, out .. 704; the second copy starts at 204, its kernel
  // at 404, its copy back, for which the engine is free again, at 704.
  const Stage two = lab_with("lab/streams", 2, {{"preset", 1}, {"call", 4}});
  EXPECT_EQ(fact_text(two, "All of it"), "904.0 µs");
  EXPECT_NE(fact_text(two, "Measured, all of it"), "(none)");
  // Moving call 4 to 6 to stream 1 makes it serial; a changed program has no measurement.
  const Stage moved =
      lab_with("lab/streams", 2, {{"preset", 1}, {"call", 4}, {"p1_stream3", 1}, {"p1_stream4", 1}, {"p1_stream5", 1}});
  EXPECT_EQ(fact_text(moved, "All of it"), "1,404.0 µs");
  EXPECT_EQ(fact_text(moved, "Measured, all of it"), "(none)");
  // A longer call 2, which counts whether it is the chosen one or not.
  for (const double chosen : {1.0, 2.0})
    EXPECT_EQ(fact_text(lab_with("lab/streams", 2, {{"preset", 0}, {"call", 4}, {"p0_us1", 500}, {"step", chosen}}),
                        "All of it"),
              "1,604.0 µs");
  // The settings of one program leave the others alone.
  EXPECT_EQ(fact_text(lab_with("lab/streams", 2, {{"preset", 0}, {"call", 4}, {"p1_op0", 0}}), "All of it"),
            "1,404.0 µs");
  const Stage stage = lab_with("lab/streams", 2, {{"preset", 7}, {"p7_op0", 5}, {"p7_us0", 300}, {"call", 4}});
  EXPECT_EQ(fact_text(stage, "All of it"), "304.0 µs");
  // The code is the program: a kernel on all SMs, and an empty line for the next call.
  const auto& code = panel_picture<CodePicture>(stage);
  ASSERT_EQ(code.columns.at(0).window.lines.size(), 2u);
  EXPECT_EQ(code.columns[0].window.lines[0].text, "full<<<grid, block, 0, s1>>>();");
  EXPECT_EQ(code.control, "lab/streams.step");
}

TEST(StreamsLab, TheChosenCallHasItsControls) {
  // Line 4 of "two streams" copies in stream 2.
  const Stage stage = lab_with("lab/streams", 2, {{"preset", 1}, {"step", 4}});
  const CodeWindow& window = panel_picture<CodePicture>(stage).columns.at(0).window;
  EXPECT_TRUE(window.lines.at(3).lit);
  EXPECT_EQ(window.lines[3].text, "cudaMemcpyAsync(d, h, n, H2D, s2);");
  EXPECT_EQ(window.lines[4].text, "half<<<grid, block, 0, s2>>>();");
  const auto find = [&](std::string_view name) -> const Control* {
    const auto found = std::ranges::find(stage.controls, fmt::format("lab/streams.{}", name), &Control::name);
    const auto plain = std::ranges::find(stage.controls, name, &Control::name);
    return found != stage.controls.end() ? &*found : plain != stage.controls.end() ? &*plain : nullptr;
  };
  const Control *const op = find("p1_op3"), *const stream = find("p1_stream3");
  ASSERT_TRUE(op != nullptr && stream != nullptr && find("p1_us3") != nullptr);
  EXPECT_EQ(op->label, "Call 4");
  EXPECT_EQ(op->shown, "copy in");
  EXPECT_EQ(op->words.size(), std::size(stream_choices));
  EXPECT_EQ(stream->shown, "2");
  EXPECT_EQ(stream->words.size(), 3u);  // the default stream and two
  // An event has no length.
  const Stage event = lab_with("lab/streams", 2, {{"preset", 5}, {"step", 2}});
  EXPECT_EQ(panel_picture<CodePicture>(event).columns.at(0).window.lines.at(1).text, "cudaEventRecord(event, s1);");
  for (const Control& control : event.controls) EXPECT_EQ(control.label.find("Its time"), std::string::npos);
}

// Stream 2's second kernel waits for the copy of stream 1, though its own first kernel has ended: as recorded and by
// the rules.
TEST(StreamsLab, TheEventMakesAStreamWait) {
  const RecordedProgram program = recorded_program(*hardware().streams, "event");
  ASSERT_EQ(program.seen.size(), 7u);
  EXPECT_GE(*program.seen[4].start, *program.seen[0].end);
  EXPECT_GT(*program.seen[4].start, *program.seen[2].end + 100000);
  const StreamSchedule run = schedule(program.program, {program.mode, program.pageable, 2, 3000});
  const auto waits = [](const StepRun& step) {
    return std::ranges::any_of(step.waits, [](const StreamWait& wait) {
      return wait.cause == WaitCause::event && wait.to - wait.from > 100000;
    });
  };
  EXPECT_TRUE(waits(run.steps[3]) || waits(run.steps[4]));
  EXPECT_GE(run.steps[4].start, run.steps[0].end);
}

TEST(StreamsLab, ItsTimelinesAreTheScheduleAndTheRecord) {
  const Stage stage = lab_with("lab/streams", 3);
  const auto& row = lab_panels(stage).rows.at(0);
  const auto& rules = std::get<TimelinePicture>(row.panels.at(0).picture);
  const auto& measured = std::get<TimelinePicture>(row.panels.at(1).picture);
  ASSERT_EQ(rules.groups.size(), 2u);
  // Legacy: 1, default, 2 one after the other. Otherwise all three start together.
  for (const TimelinePicture* const picture : {&rules, &measured})
    for (std::size_t mode = 0; mode < 2; ++mode) {
      std::vector<Bar> kernels;
      for (const Row& line : picture->groups[mode].rows)
        for (const Bar& bar : line.bars)
          if (bar.role == Role::kernel) kernels.push_back(bar);
      ASSERT_EQ(kernels.size(), 3u);
      for (std::size_t i = 1; i < 3; ++i) {
        if (mode == 0) {
          EXPECT_GE(kernels[i].start, kernels[i - 1].end);
        } else {
          EXPECT_LT(kernels[i].start, kernels[i - 1].end);
        }
      }
    }
}

TEST(StreamsLab, AWalkWithSeveralStreamsShowsItsOwn) {
  const Trace& trace = sample("two_streams");
  const auto window = stream_window(trace, default_walk(trace));
  ASSERT_TRUE(window.has_value());
  // By hand: ns in which both streams of the window work, by visiting every ns boundary.
  std::vector<std::int64_t> times;
  for (const SliceId s : window->work) {
    times.push_back(trace.slices.start[s]);
    times.push_back(trace.slices.end(s));
  }
  std::sort(times.begin(), times.end());
  std::int64_t both = 0, busy = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    std::set<trace::TrackId> streams;
    for (const SliceId s : window->work)
      if (trace.slices.start[s] <= times[i - 1] && trace.slices.end(s) >= times[i])
        streams.insert(trace.slices.track[s]);
    if (streams.size() > 1) both += times[i] - times[i - 1];
    if (!streams.empty()) busy += times[i] - times[i - 1];
  }
  EXPECT_EQ(window->overlapped, both);
  EXPECT_EQ(window->busy, busy);
  EXPECT_GT(both, 0);
  EXPECT_FALSE(stream_window(sample("relu_matmul"), default_walk(sample("relu_matmul"))).has_value());
  EXPECT_FALSE(stream_window(Trace{}, Walk{}).has_value());
  // Streams that take turns.
  const Trace apart = SmallTrace()
                          .call("cudaLaunchKernel", 0, 5, 1)
                          .kernel("k", 10, 20, 1)
                          .call("cudaLaunchKernel", 50, 5, 2)
                          .kernel("k", 60, 20, 2, 9)
                          .read();
  const auto none = stream_window(apart, default_walk(apart));
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(none->overlapped, 0);
}

TEST(StreamsLab, WithoutARecordTheEditorStillWorks) {
  for (const std::int64_t beat : {1, 3, 4, 5, 6}) {
    const Stage stage = lab_without_records("lab/streams", beat);
    EXPECT_EQ(stage.title, "No program is recorded here") << beat;
    EXPECT_EQ(stage.missing.size(), 1u);
  }
  for (const std::int64_t beat : {2, 7}) EXPECT_TRUE(lab_without_records("lab/streams", beat).missing.empty());
  const auto bad = [](std::string_view text) { return records::parse_stream_steps(text).error(); };
  const std::string header = "program,default,host,kind,stream,quarters,us,call_ns,returned_ns,start_ns,end_ns\n";
  EXPECT_EQ(bad("x\n"), "line 1: expected " + header.substr(0, header.size() - 1));
  EXPECT_EQ(bad(header + "p,legacy,pinned,kernel,9,1,1,0,0,,\n"), "p: stream and quarters are from 0 to 4");
  EXPECT_EQ(bad(header + "p,legacy,pinned,kernel,1,1,x,0,0,,\n"), "p: \"x\" is not a number");
  EXPECT_EQ(records::parse_stream_calls("what,count,kernel_ns,cpu_ns,total_ns\na,1,2,3,\n").error(),
            "a: \"\" is not a number");
}

TEST(StreamsLab, TasksAreDoneByTheSettings) {
  const auto done = [](std::initializer_list<std::pair<const char*, double>> settings) {
    return tasks_done("lab/streams", settings);
  };
  EXPECT_EQ(done({{"preset", 0}}), "------");
  EXPECT_EQ(done({{"preset", 1}, {"host", 1}}), "-----x");  // each copy's call returns before the kernel is issued
  EXPECT_EQ(done({{"preset", 3}, {"host", 1}}), "x----x");
  EXPECT_EQ(done({{"preset", 7},
                  {"streams", 4},
                  {"p7_op0", 2},
                  {"p7_op1", 2},
                  {"p7_op2", 2},
                  {"p7_op3", 2},
                  {"p7_stream0", 1},
                  {"p7_stream1", 2},
                  {"p7_stream2", 3},
                  {"p7_stream3", 4}}),
            "-x----");
  EXPECT_EQ(done({{"preset", 7},
                  {"streams", 2},
                  {"p7_op0", 2},
                  {"p7_op1", 7},
                  {"p7_op2", 8},
                  {"p7_op3", 2},
                  {"p7_stream0", 1},
                  {"p7_stream1", 1},
                  {"p7_stream2", 2},
                  {"p7_stream3", 2}}),
            "--x---");
  EXPECT_EQ(done({{"preset", 4}, {"default", 1}}), "---x--");
  EXPECT_EQ(done({{"preset", 3}, {"engines", 0}}), "----x-");
  EXPECT_EQ(done({{"preset", 6}, {"p6_us0", 700}}), "-----x");
}

}  // namespace
}  // namespace warpwalk::story::testing
