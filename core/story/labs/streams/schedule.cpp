#include "core/story/labs/streams/schedule.h"

#include <algorithm>
#include <array>
#include <limits>

namespace warpwalk::story {
namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

// The steps that each step has to wait for. They follow from the order of the calls alone.
struct StepNeeds {
  std::size_t stream = none;            // the one before in its stream
  std::vector<std::size_t> by_default;  // by the rules of the legacy default stream
  std::size_t event = none;             // the record that a wait is for
};

std::vector<StepNeeds> needs_of(const std::vector<StreamStep>& program, DefaultStream mode) {
  std::vector<StepNeeds> all(program.size());
  std::vector<std::size_t> last;  // by stream
  std::size_t recorded = none;
  for (std::size_t i = 0; i < program.size(); ++i) {
    const StreamStep& step = program[i];
    if (!is_queued(step.op)) continue;
    const auto own = static_cast<std::size_t>(step.stream);
    last.resize(std::max(last.size(), own + 1), none);
    all[i].stream = last[own];
    if (mode == DefaultStream::legacy)
      for (std::size_t other = 0; other < last.size(); ++other)
        if (other != own && (own == 0 || other == 0) && last[other] != none) all[i].by_default.push_back(last[other]);
    if (step.op == StreamOp::wait) all[i].event = recorded;
    if (step.op == StreamOp::record) recorded = i;
    last[own] = i;
  }
  return all;
}

class Simulation {
 public:
  Simulation(const std::vector<StreamStep>& program, const StreamRules& rules)
      : program_(program), rules_(rules), needs_(needs_of(program, rules.mode)), state_(program.size()) {
    result_.steps.resize(program.size());
  }

  StreamSchedule run() {
    next_call();
    while (now_ != never) {
      while (settle()) {
      }
      start_copies();
      place_blocks();
      now_ = next_time();
    }
    for (std::size_t i = 0; i < program_.size(); ++i) explain(i);
    return std::move(result_);
  }

 private:
  struct State {
    bool issued = false, started = false, ended = false;
    std::int64_t ready = never;
    int placed = 0;  // blocks of a kernel
  };

  bool ended(std::size_t i) const { return i == none || state_[i].ended; }

  // Completes the operations that end, return or become ready at this time; false if there are none. Units are given
  // away afterwards, so that the order of the calls decides between operations that become ready at the same time.
  bool settle() {
    bool changed = false;
    for (std::size_t i = 0; i < program_.size(); ++i) changed |= end_if_due(i);
    changed |= advance_cpu();
    for (std::size_t i = 0; i < program_.size(); ++i) changed |= make_ready(i);
    return changed;
  }

  bool end_if_due(std::size_t i) {
    if (!state_[i].started || state_[i].ended || result_.steps[i].end > now_) return false;
    if (program_[i].op == StreamOp::kernel && state_[i].placed < program_[i].quarters) return false;
    state_[i].ended = true;
    result_.end = std::max(result_.end, now_);
    return true;
  }

  // The CPU is in the call of step cpu_, which ends no sooner than `returns_`.
  void next_call() {
    while (cpu_ < program_.size() && program_[cpu_].op == StreamOp::none) ++cpu_;
    if (cpu_ == program_.size()) return;
    result_.steps[cpu_].call = now_;
    returns_ = now_ + std::max<std::int64_t>(1, rules_.call);
  }

  bool advance_cpu() {
    if (cpu_ == program_.size() || now_ < returns_) return false;
    const StreamStep& step = program_[cpu_];
    StepRun& run = result_.steps[cpu_];
    State& state = state_[cpu_];
    const bool entered = !state.issued;
    if (entered) {
      state.issued = true;
      run.issued = now_;
    }
    if (waits_for_gpu(step)) return entered;
    run.returned = now_;
    result_.end = std::max(result_.end, now_);
    ++cpu_;
    next_call();
    return true;
  }

  bool waits_for_gpu(const StreamStep& step) const {
    if (is_copy(step.op)) return rules_.pageable && !state_[cpu_].ended;
    if (step.op != StreamOp::sync_stream && step.op != StreamOp::sync_device) return false;
    for (std::size_t i = 0; i < cpu_; ++i) {
      if (!is_queued(program_[i].op) || state_[i].ended) continue;
      // Synchronizing with the legacy default stream is like an operation in it.
      if (step.op == StreamOp::sync_device || program_[i].stream == step.stream ||
          (step.stream == 0 && rules_.mode == DefaultStream::legacy))
        return true;
    }
    return false;
  }

  bool make_ready(std::size_t i) {
    State& state = state_[i];
    if (!state.issued || state.ready != never || !is_queued(program_[i].op)) return false;
    if (!ended(needs_[i].stream) || !ended(needs_[i].event)) return false;
    for (const std::size_t other : needs_[i].by_default)
      if (!ended(other)) return false;
    state.ready = now_;
    if (!is_work(program_[i].op)) {
      state.started = true;
      result_.steps[i].start = result_.steps[i].end = now_;
    }
    return true;
  }

  // The step that became ready first, and waits for a unit that `wanted` says.
  template <class Wanted>
  std::size_t first_ready(const Wanted& wanted) const {
    std::size_t first = none;
    for (std::size_t i = 0; i < program_.size(); ++i)
      if (state_[i].ready != never && wanted(i) && (first == none || state_[i].ready < state_[first].ready)) first = i;
    return first;
  }

  void start_copies() {
    for (std::size_t engine = 0; engine < 2; ++engine) {
      const auto uses = [&](std::size_t i) {
        return is_copy(program_[i].op) &&
               (rules_.copy_engines < 2 || (program_[i].op == StreamOp::copy_out) == (engine == 1));
      };
      bool busy = false;
      for (std::size_t i = 0; i < program_.size(); ++i)
        busy = busy || (uses(i) && state_[i].started && !state_[i].ended);
      const std::size_t i = first_ready([&](std::size_t one) { return uses(one) && !state_[one].started; });
      if (busy || i == none) continue;
      state_[i].started = true;
      result_.steps[i].start = now_;
      result_.steps[i].end = now_ + std::max<std::int64_t>(1, program_[i].ns);
    }
  }

  void place_blocks() {
    for (;;) {
      const std::size_t i = first_ready([&](std::size_t one) {
        return program_[one].op == StreamOp::kernel && state_[one].placed < program_[one].quarters;
      });
      const auto quarter = std::ranges::find_if(quarters_, [&](std::int64_t until) { return until <= now_; });
      if (i == none || quarter == quarters_.end()) return;
      StepRun& run = result_.steps[i];
      if (!state_[i].started) run.start = now_;
      state_[i].started = true;
      ++state_[i].placed;
      run.end = *quarter = now_ + std::max<std::int64_t>(1, program_[i].ns);
      run.shares.push_back({now_, run.end, static_cast<int>(quarter - quarters_.begin())});
    }
  }

  std::int64_t next_time() const {
    std::int64_t next = never;
    const auto consider = [&](std::int64_t time) {
      if (time > now_) next = std::min(next, time);
    };
    if (cpu_ < program_.size()) consider(returns_);
    for (std::size_t i = 0; i < program_.size(); ++i)
      if (state_[i].started && !state_[i].ended) consider(result_.steps[i].end);
    for (const std::int64_t until : quarters_) consider(until);
    return next;
  }

  // Divides the time from the call to the start among its causes: the nearest one first.
  void explain(std::size_t i) {
    if (!is_queued(program_[i].op)) return;
    StepRun& run = result_.steps[i];
    std::int64_t at = run.issued;
    const auto until = [&](std::int64_t time, WaitCause cause) {
      time = std::min(time, run.start);
      if (time <= at) return;
      run.waits.push_back({at, time, cause});
      at = time;
    };
    const auto end_of = [&](std::size_t other) { return other == none ? 0 : result_.steps[other].end; };
    until(end_of(needs_[i].stream), WaitCause::stream);
    std::int64_t by_default = 0;
    for (const std::size_t other : needs_[i].by_default) by_default = std::max(by_default, end_of(other));
    until(by_default, WaitCause::default_stream);
    until(end_of(needs_[i].event), WaitCause::event);
    until(run.start, is_copy(program_[i].op) ? WaitCause::copy_engine : WaitCause::sms);
  }

  const std::vector<StreamStep>& program_;
  const StreamRules& rules_;
  const std::vector<StepNeeds> needs_;
  std::vector<State> state_;
  std::array<std::int64_t, 4> quarters_{};  // when each quarter of the SMs is free
  std::size_t cpu_ = 0;
  std::int64_t returns_ = 0, now_ = 0;
  StreamSchedule result_;
};

}  // namespace

StreamSchedule schedule(const std::vector<StreamStep>& program, const StreamRules& rules) {
  return Simulation(program, rules).run();
}

std::int64_t StreamSchedule::overlapped(const std::vector<StreamStep>& program) const {
  std::vector<std::pair<std::int64_t, int>> changes;
  for (std::size_t i = 0; i < program.size(); ++i)
    if (is_work(program[i].op)) {
      changes.emplace_back(steps[i].start, 1);
      changes.emplace_back(steps[i].end, -1);
    }
  std::ranges::sort(changes);
  std::int64_t total = 0, since = 0;
  int running = 0;
  for (const auto& [time, change] : changes) {
    if (running > 1) total += time - since;
    running += change;
    since = time;
  }
  return total;
}

std::int64_t StreamSchedule::cpu_waits() const {
  std::int64_t total = 0;
  for (const StepRun& run : steps) total += run.returned - run.issued;
  return total;
}

}  // namespace warpwalk::story
