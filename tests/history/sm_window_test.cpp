#include "core/gpu/history/sm_window.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include <gtest/gtest.h>

#include "tests/history/recorded_launch.h"

namespace warpwalk::gpu {
namespace {

using timed::Recorded;
using timed::sm_of;

std::vector<std::filesystem::path> windowed_launches() {
  std::vector<std::filesystem::path> files = {"validate/reference/timed/matmul16_128x128x128.json"};
  for (const char* const name : {"shipped_histogram", "nested_divergence", "named_barriers"})
    files.push_back(std::filesystem::path("cases") / name / "launch.json");
  return files;
}

TEST(SmWindow, EveryCycleOfAWarpIsThereOnce) {
  for (const auto& file : windowed_launches()) {
    SCOPED_TRACE(file.string());
    const std::uint16_t sm = sm_of(file, 0);
    Recorded recorded(file, sm);
    const SmWindow window = watch_window(*recorded.replay, 0, recorded.replay->end());
    StallCycles cycles{};
    for (const WarpRow& row : window.warps)
      for (std::size_t i = 0; i < row.spans.size(); ++i) {
        const WarpSpan& span = row.spans[i];
        EXPECT_LT(span.from, span.to);
        if (i > 0) {
          EXPECT_EQ(row.spans[i - 1].to, span.from);
        }
        cycles[static_cast<std::size_t>(span.reason)] += static_cast<std::uint64_t>(span.to - span.from);
      }
    EXPECT_EQ(cycles, recorded.record.sms[sm].stalls);
    EXPECT_EQ(window.issues.size(), cycles[static_cast<std::size_t>(StallReason::selected)]);
  }
}

TEST(SmWindow, ASchedulerIssuesOncePerCycleAndPicksAnEligibleWarp) {
  for (const auto& file : windowed_launches()) {
    SCOPED_TRACE(file.string());
    Recorded recorded(file, sm_of(file, 0));
    const SmWindow window = watch_window(*recorded.replay, 0, recorded.replay->end());
    std::set<std::pair<std::int64_t, int>> taken;
    for (const Issue& issue : window.issues) {
      EXPECT_TRUE(taken.emplace(issue.what.cycle, issue.what.warp.slot % 4).second) << issue.what.cycle;
      EXPECT_NE(issue.what.eligible >> issue.what.warp.slot & 1, 0u);
      for (std::uint64_t others = issue.what.eligible; others != 0; others &= others - 1)
        EXPECT_EQ(std::countr_zero(others) % 4, issue.what.warp.slot % 4);
    }
    // The warps that were eligible and not picked are those that were ready.
    std::size_t ready = 0, not_selected = 0;
    for (const Issue& issue : window.issues) ready += static_cast<std::size_t>(std::popcount(issue.what.eligible)) - 1;
    for (const WarpRow& row : window.warps)
      for (const WarpSpan& span : row.spans)
        if (span.reason == StallReason::not_selected) not_selected += static_cast<std::size_t>(span.to - span.from);
    EXPECT_EQ(ready, not_selected);
  }
}

TEST(SmWindow, PartsShowWhatTheWholeShows) {
  const std::filesystem::path file = "cases/nested_divergence/launch.json";
  const std::uint16_t sm = sm_of(file, 0);
  Recorded one(file, sm), other(file, sm);
  const std::int64_t end = one.replay->end();
  const SmWindow whole = watch_window(*one.replay, 0, end);
  // From the end to the beginning, so that the replay goes back each time.
  std::map<std::int64_t, std::size_t> issues;
  const std::int64_t step = 97;
  for (std::int64_t from = end / step * step; from >= 0; from -= step) {
    const SmWindow part = watch_window(*other.replay, from, std::min(end, from + step));
    for (const Issue& issue : part.issues) issues[issue.what.cycle] += issue.what.instruction + 1;
    for (const WarpRow& row : part.warps) {
      const auto all = std::ranges::find(whole.warps, row.place, &WarpRow::place);
      ASSERT_NE(all, whole.warps.end());
      for (const WarpSpan& span : row.spans) {
        const auto same = std::ranges::find_if(
            all->spans, [&](const WarpSpan& of) { return of.from <= span.from && span.to <= of.to; });
        ASSERT_NE(same, all->spans.end()) << "cycle " << span.from;
        EXPECT_EQ(same->reason, span.reason);
        EXPECT_EQ(same->instruction, span.instruction);
      }
    }
  }
  std::map<std::int64_t, std::size_t> expected;
  for (const Issue& issue : whole.issues) expected[issue.what.cycle] += issue.what.instruction + 1;
  EXPECT_EQ(issues, expected);
}

TEST(SmWindow, LoadsComeBackAfterTheyWereIssued) {
  const std::filesystem::path file = "validate/reference/timed/matmul16_128x128x128.json";
  Recorded recorded(file, sm_of(file, 0));
  const SmWindow window = watch_window(*recorded.replay, 0, recorded.replay->end());
  std::size_t loads = 0;
  for (const Return& result : window.returns) {
    if (!result.from_memory) continue;
    ++loads;
    const bool issued = std::ranges::any_of(window.issues, [&](const Issue& issue) {
      return issue.what.warp == result.warp && issue.what.instruction == result.set_by &&
             issue.what.cycle < result.cycle;
    });
    ASSERT_TRUE(issued) << "cycle " << result.cycle;
  }
  EXPECT_GT(loads, 0u);
}

TEST(SmWindow, LinesOfALoadComeBackBeforeItsResult) {
  const std::filesystem::path file = "validate/reference/timed/matmul16_128x128x128.json";
  Recorded recorded(file, sm_of(file, 0));
  const SmWindow window = watch_window(*recorded.replay, 0, recorded.replay->end());
  std::size_t trips = 0, from_memory = 0;
  for (const RequestTrip& trip : window.trips) {
    ASSERT_LT(trip.left_at, trip.back_at);
    ASSERT_FALSE(trip.slots.empty());
    ++trips;
    from_memory += trip.source == DataSource::memory ? 1 : 0;
    for (const std::uint16_t slot : trip.slots) {
      // An instruction that reads the line was issued by this warp before, and its result comes with the line or later.
      const bool asked = std::ranges::any_of(window.issues, [&](const Issue& issue) {
        return issue.what.warp.slot == slot && issue.what.cycle < trip.back_at && !issue.accesses.empty() &&
               std::ranges::any_of(issue.accesses.front().at, [&](std::uint64_t at) { return at / 128 == trip.line; });
      });
      EXPECT_TRUE(asked) << "line " << trip.line;
      EXPECT_TRUE(std::ranges::any_of(window.returns,
                                      [&](const Return& result) {
                                        return result.warp.slot == slot && result.from_memory &&
                                               result.cycle >= trip.back_at;
                                      }))
          << "line " << trip.line;
    }
  }
  EXPECT_GT(trips, 20u);
  EXPECT_GT(from_memory, 0u);
}

TEST(SmWindow, OneAtATimeKeepsToAWarpUntilItEndsOrWaitsForOthers) {
  std::size_t changes = 0;
  for (const auto& file : windowed_launches()) {
    SCOPED_TRACE(file.string());
    SmReplay::Options options;
    options.policy = IssuePolicy::one_at_a_time;
    Recorded recorded(file, sm_of(file, 0), 1, options);
    const SmWindow window = watch_window(*recorded.replay, 0, recorded.replay->end());
    std::array<std::optional<IssuedInstruction>, 4> last;
    for (const Issue& issue : window.issues) {
      auto& before = last[issue.what.warp.slot % 4];
      if (before && !(before->warp == issue.what.warp)) {
        ++changes;
        // After its last issue, the warp that was left was at a barrier, or ended.
        const auto row = std::ranges::find(window.warps, before->warp, &WarpRow::place);
        ASSERT_NE(row, window.warps.end());
        const bool ended = row->spans.back().to <= issue.what.cycle;
        const bool free = ended || std::ranges::any_of(row->spans, [&](const WarpSpan& span) {
                            return span.from > before->cycle && span.from <= issue.what.cycle &&
                                   (span.reason == StallReason::barrier || span.reason == StallReason::drain);
                          });
        EXPECT_TRUE(free) << "cycle " << issue.what.cycle;
      }
      before = issue.what;
    }
  }
  EXPECT_GT(changes, 8u);
}

// The lanes that an instruction is not predicated off for, by the registers before it.
TEST(SmWindow, PredicatedLanesDoNotExecute) {
  int off = 0, compared = 0;
  for (const char* const name : {"shipped_histogram", "nested_divergence", "named_barriers"}) {
    SCOPED_TRACE(name);
    const auto file = std::filesystem::path("cases") / name / "launch.json";
    Recorded recorded(file, sm_of(file, 0));
    const SmWindow window = watch_window(*recorded.replay, 0, recorded.replay->end());
    const Program& program = *recorded.again.program;
    ASSERT_TRUE(program.machine_code);
    std::size_t next = 0;
    for (const Issue& issue : window.issues) {
      EXPECT_EQ(issue.what.executing & ~issue.what.lanes, 0u);
      const sass::Operand& guard = program.machine_code->instructions[issue.what.instruction].guard;
      if (guard.kind != sass::OperandKind::predicate || (guard.reg == sass::true_predicate && !guard.negate)) {
        EXPECT_EQ(issue.what.executing, issue.what.lanes);
        continue;
      }
      if (++next % 5 != 0) continue;  // to go back in time takes a while
      recorded.replay->seek(issue.what.cycle);
      for (const WarpState& warp : recorded.replay->state().warps) {
        if (warp.place != issue.what.warp) continue;
        std::uint32_t holds = 0;
        std::memcpy(&holds, warp.warp->registers.data() + program.machine_code->frame.predicates + 4U * guard.reg, 4);
        EXPECT_EQ(issue.what.executing, issue.what.lanes & (guard.negate ? ~holds : holds)) << issue.what.cycle;
        if (issue.what.executing != issue.what.lanes) ++off;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 20);
  EXPECT_GT(off, 5);
}

// Counts the events that it receives.
class Counter final : public SmObserver {
 public:
  void issued(const IssuedInstruction&, const std::vector<LoggedAccess>&) override { ++told; }
  void spent(const WarpPlace&, std::int64_t, std::int64_t, StallReason, std::uint32_t) override { ++told; }
  void answered(const RequestTrip&) override { ++told; }
  void returned(const WarpPlace&, std::int64_t, unsigned, std::uint32_t, bool) override { ++told; }
  int told = 0;
};

TEST(SmReplay, AnObserverIsToldNothingAfterItsCycles) {
  const std::filesystem::path file = "validate/reference/timed/matmul16_128x128x128.json";
  SmReplay::Options often;
  often.checkpoint_instructions = 64;
  Recorded recorded(file, sm_of(file, 0), 1, often);
  SmReplay& replay = *recorded.replay;
  Counter observer;
  replay.watch(0, replay.end(), observer);
  ASSERT_GT(replay.checkpoints().size(), 2u) << "checkpoints were kept while it was told";
  const int told = observer.told;
  EXPECT_GT(told, 0);
  for (const std::int64_t checkpoint : replay.checkpoints()) {
    replay.seek(checkpoint);
    replay.seek(std::min(checkpoint + 500, replay.end()));
    replay.seek(0);
  }
  EXPECT_EQ(observer.told, told);
}

TEST(SmReplay, KnowsWhenEachRequestIsAnswered) {
  const std::filesystem::path file = "validate/reference/timed/matmul16_128x128x128.json";
  Recorded recorded(file, sm_of(file, 0));
  SmReplay& replay = *recorded.replay;
  std::size_t checked = 0, from_memory = 0;
  for (std::int64_t cycle = 200; cycle + 1 < replay.end() && checked < 200; cycle += 151) {
    replay.seek(cycle);
    for (const RequestState& request : replay.state().requests) {
      if (request.store || request.arrives_at <= cycle || request.arrives_at >= replay.end() - 1) continue;
      const auto open_at = [&](std::int64_t when) {
        replay.seek(when);
        return std::ranges::any_of(replay.state().requests, [&](const RequestState& other) {
          return other.id == request.id && other.line == request.line && other.arrives_at == request.arrives_at;
        });
      };
      EXPECT_TRUE(open_at(request.arrives_at)) << "cycle " << cycle << ", request " << request.id;
      EXPECT_FALSE(open_at(request.arrives_at + 1)) << "cycle " << cycle << ", request " << request.id;
      ++checked;
      from_memory += request.source == DataSource::memory ? 1 : 0;
    }
  }
  EXPECT_GT(checked, 20u);
  EXPECT_GT(from_memory, 0u);
}

}  // namespace
}  // namespace warpwalk::gpu
