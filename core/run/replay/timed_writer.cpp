#include "core/run/replay/timed_writer.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace warpwalk::run {
namespace {

constexpr std::size_t kept_answers = 16;

bool same(const gpu::WriterQuestion& a, const gpu::WriterQuestion& b) {
  return a.place == b.place && a.before == b.before && a.address == b.address;
}

}  // namespace

struct TimedWriters::State {
  explicit State(TimeTravel& travel, const gpu::Launch& before)
      : launch(before), writers(travel.device(), travel.program(), launch) {}
  /// The cycles in which a warp issued each instruction, by block, warp and instruction.
  using Issues = std::map<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>, std::vector<std::int64_t>>;
  struct OnSm {
    Issues issues;
    std::map<std::pair<std::uint64_t, std::uint32_t>, gpu::WarpPlace> warps;
  };

  std::mutex mutex;
  const gpu::Launch& launch;
  gpu::LaunchWriters writers;
  std::vector<std::pair<gpu::WriterQuestion, std::shared_ptr<const TimedWriter>>> answers;
  std::vector<std::pair<gpu::WriterQuestion, std::shared_ptr<const TimedNan>>> nans;
  std::uint16_t sm = 0;
  std::unique_ptr<OnSm> on_sm;  ///< of that SM
};

TimedWriters::TimedWriters(TimeTravel& travel, const gpu::Launch& before)
    : travel_(travel), state_(std::make_unique<State>(travel, before)) {}

TimedWriters::~TimedWriters() = default;

base::Result<std::shared_ptr<const TimedWriter>> TimedWriters::ask(const gpu::WriterQuestion& question) {
  const std::lock_guard lock(state_->mutex);
  for (const auto& [known, answer] : state_->answers)
    if (same(known, question)) return answer;
  auto writer = state_->writers.ask(question);
  if (!writer) return base::Error{writer.error()};
  auto timed = std::make_shared<TimedWriter>();
  timed->writer = std::move(*writer);
  const auto place = [&](const gpu::OriginStep& step) {
    return place_of({step.warp, step.instruction, step.occurrence});
  };
  for (const gpu::WriterStep& step : timed->writer.steps) timed->places.push_back(place(step.step));
  if (timed->writer.later) timed->later = place(timed->writer.later->step);
  if (state_->answers.size() == kept_answers) state_->answers.erase(state_->answers.begin());
  state_->answers.emplace_back(question, timed);
  return std::shared_ptr<const TimedWriter>(std::move(timed));
}

base::Result<std::shared_ptr<const TimedNan>> TimedWriters::nan_source(const gpu::WriterQuestion& question) {
  using Found = std::shared_ptr<const TimedNan>;
  const std::lock_guard lock(state_->mutex);
  for (const auto& [known, source] : state_->nans)
    if (same(known, question)) return source;
  auto found = gpu::find_nan_source(state_->writers, question, gpu::NumberFormat::f32);
  if (!found) return base::Error{found.error()};
  Found source;
  if (found->writer.written()) {
    const gpu::WriterStep& step = found->writer.steps[found->step];
    source = std::make_shared<const TimedNan>(
        TimedNan{step, place_of({step.step.warp, step.step.instruction, step.step.occurrence})});
  }
  if (state_->nans.size() == kept_answers) state_->nans.erase(state_->nans.begin());
  state_->nans.emplace_back(question, source);
  return source;
}

IssuePlace TimedWriters::place_of(const gpu::LaunchMoment& moment) {
  IssuePlace place;
  place.warp.block = moment.warp.block;
  place.warp.warp = moment.warp.warp;
  if (moment.warp.block >= travel_.timing().sm.size()) return place;
  place.sm = static_cast<std::uint16_t>(travel_.timing().sm[moment.warp.block]);
  if (state_->on_sm == nullptr || state_->sm != place.sm) {
    auto on_sm = std::make_unique<State::OnSm>();
    const auto window = travel_.window(place.sm, 0, travel_.end(place.sm));
    for (const gpu::Issue& issue : window->issues) {
      const gpu::WarpPlace& warp = issue.what.warp;
      on_sm->issues[{warp.block, warp.warp, issue.what.instruction}].push_back(issue.what.cycle);
      on_sm->warps[{warp.block, warp.warp}] = warp;
    }
    state_->sm = place.sm;
    state_->on_sm = std::move(on_sm);
  }
  const State::OnSm& on_sm = *state_->on_sm;
  if (const auto warp = on_sm.warps.find({moment.warp.block, moment.warp.warp}); warp != on_sm.warps.end())
    place.warp = warp->second;
  const auto found = on_sm.issues.find({moment.warp.block, moment.warp.warp, moment.instruction});
  if (found != on_sm.issues.end() && moment.occurrence < found->second.size())
    place.cycle = found->second[moment.occurrence];
  return place;
}

std::optional<gpu::LaunchMoment> TimedWriters::moment(std::uint16_t sm, const gpu::WarpPlace& warp,
                                                      std::int64_t cycle) {
  const auto life = travel_.life(sm, warp, 0, travel_.end(sm));
  const auto next = std::ranges::find_if(life->issues, [&](const auto& issue) { return issue.cycle >= cycle; });
  if (next == life->issues.end()) return {};
  const auto before = std::count_if(life->issues.begin(), next,
                                    [&](const auto& issue) { return issue.instruction == next->instruction; });
  return gpu::LaunchMoment{{warp.block, warp.warp}, next->instruction, static_cast<std::uint32_t>(before)};
}

}  // namespace warpwalk::run
