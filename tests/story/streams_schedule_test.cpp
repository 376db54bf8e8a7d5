// The scheduler of the lab "streams" against a simulation that goes through time in unit steps, with counters of finished
// operations in place of dependencies, and against the programs that an H200 ran (assets/devices/h200_streams.csv).
#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/story/labs/streams/schedule.h"
#include "core/story/labs/streams/streams.h"
#include "core/story/stage/stream_record.h"
#include "tests/story/words.h"

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

std::string text_of(const std::vector<StreamStep>& program) {
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
      constexpr StreamOp ops[] = {StreamOp::none,   StreamOp::copy_in, StreamOp::copy_in, StreamOp::kernel,
                                  StreamOp::kernel, StreamOp::kernel,  StreamOp::copy_out, StreamOp::copy_out,
                                  StreamOp::record, StreamOp::record,  StreamOp::wait,     StreamOp::wait,
                                  StreamOp::wait,   StreamOp::sync_stream, StreamOp::sync_device};
      step = {ops[below(std::size(ops))], below(5), 1 + below(4), 1 + below(12)};
    }
    const StreamSchedule got = schedule(program, rules);
    const std::vector<Seen> want = BySteps(program, rules).run();
    ASSERT_EQ(want.size(), program.size()) << text_of(program);
    std::int64_t last = 0;
    for (std::size_t i = 0; i < program.size(); ++i) {
      if (program[i].op == StreamOp::none) continue;
      const StepRun& run = got.steps[i];
      const std::string where = fmt::format("{}mode {} pageable {} engines {} call {}, step {}", text_of(program),
                                            static_cast<int>(rules.mode), rules.pageable, rules.copy_engines,
                                            rules.call, i);
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
    ASSERT_EQ(got.end, last) << text_of(program);
  }
  for (const WaitCause cause : {WaitCause::stream, WaitCause::default_stream, WaitCause::event, WaitCause::copy_engine,
                                WaitCause::sms})
    EXPECT_GT(waited[static_cast<std::size_t>(cause)], 100) << static_cast<int>(cause);
}

TEST(StreamSchedule, OverlapIsCountedByHand) {
  // Two kernels on half of the SMs each, issued 10 ns apart, and one on all of them afterwards.
  const std::vector<StreamStep> program = {{StreamOp::kernel, 1, 2, 100}, {StreamOp::kernel, 2, 2, 100},
                                           {StreamOp::kernel, 3, 4, 50}};
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

}  // namespace
}  // namespace warpwalk::story::testing
