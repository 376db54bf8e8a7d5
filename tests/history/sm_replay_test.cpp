#include "core/gpu/history/sm_replay.h"

#include <algorithm>
#include <map>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/history/recorded_launch.h"

namespace warpwalk::gpu {
namespace {

using timed::Recorded;
using timed::sm_of;

void add(std::ostream& out, const std::vector<std::uint8_t>& bytes) {
  out << std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()}) << ' ';
}

/// The visible state of the SM and of global memory, as text.
std::string replay_text(const SmReplay& replay) {
  std::ostringstream out;
  const SmState state = replay.state();
  for (const WarpState& warp : state.warps) {
    out << warp.place.slot << ' ' << warp.place.block << '/' << warp.place.warp << " at " << warp.instruction << ' '
        << name_of(warp.reason) << ' ' << warp.since << ' ' << warp.ready_at << ' ' << warp.stores << ' ';
    for (const DependenceState& dependence : warp.dependences)
      out << dependence.pending << ',' << dependence.set_by << ',' << dependence.set_at << ' ';
    add(out, warp.warp->registers);
    add(out, warp.block->shared);
    for (const std::uint32_t word : warp.warp->stack) out << word << ' ';
    out << '\n';
  }
  for (const QueueState& queue : state.sub_partitions) {
    out << queue.memory << ' ' << queue.global << ' ';
    for (const std::int64_t free : queue.pipe_free_at) out << free << ' ';
  }
  for (const RequestState& request : state.requests)
    out << request.line << ' ' << int{request.sectors} << ' ' << request.slots.size() << ' ' << request.arrives_at
        << ' ' << static_cast<int>(request.source) << ' ';
  out << state.l1_sectors << '\n';
  for (const Region& region : replay.memory().regions())
    if (!region.read_only) add(out, {region.data, region.data + region.bytes});
  return out.str();
}

/// Divergence, barriers, atomics that other SMs see, copies, tensor cores, clusters, calls, local memory, and threads
/// that wait for those of other SMs.
std::vector<std::filesystem::path> replayed_launches() {
  std::vector<std::filesystem::path> files = {"validate/reference/timed/matmul16_128x128x128.json",
                                              "validate/reference/timed/reduce_1048576.json"};
  for (const char* const name :
       {"shipped_histogram", "nested_divergence", "mma_f16", "cluster_reduction", "recursion", "named_barriers",
        "matrix_transport", "cooperative_reduction", "scan_lookback", "spin_lock", "last_block", "wide_tiles"})
    files.push_back(std::filesystem::path("cases") / name / "launch.json");
  return files;
}

TEST(SmReplay, EndsWithTheSameCounters) {
  for (const auto& file : replayed_launches()) {
    for (const std::size_t which : {0, 2}) {
      const std::uint16_t sm = sm_of(file, which);
      SCOPED_TRACE(file.string() + " on SM " + std::to_string(sm));
      Recorded recorded(file, sm);
      recorded.replay->seek(recorded.replay->end());
      EXPECT_EQ(recorded.replay->sm().counters().stalls, recorded.record.sms[sm].stalls);
      EXPECT_TRUE(recorded.replay->state().warps.empty());
      EXPECT_TRUE(recorded.replay->sm().idle());
    }
  }
}

TEST(SmReplay, StartsAsWarmAsTheLaunch) {
  for (const auto& file : replayed_launches()) {
    SCOPED_TRACE(file.string());
    const std::uint16_t sm = sm_of(file, 0);
    Recorded recorded(file, sm, 1, {}, CacheStart::warm);
    recorded.replay->seek(recorded.replay->end());
    EXPECT_EQ(recorded.replay->sm().counters().stalls, recorded.record.sms[sm].stalls);
  }
}

TEST(SmReplay, ReadsWhatOtherSmsWrote) {
  // Each block of these finds what another one wrote.
  for (const char* const name : {"scan_lookback", "spin_lock"}) {
    SCOPED_TRACE(name);
    const std::filesystem::path file = std::filesystem::path("cases") / name / "launch.json";
    const std::uint16_t sm = sm_of(file, 2);
    EXPECT_FALSE(Recorded(file, sm).record.sms[sm].patches.empty());
  }
}

TEST(SmReplay, AnyRouteToACycleShowsTheSame) {
  std::size_t checkpoints = 0;
  for (const auto& file : replayed_launches()) {
    SCOPED_TRACE(file.string());
    SmReplay::Options options;
    options.checkpoint_instructions = 64;
    const std::uint16_t sm = sm_of(file, 1);
    Recorded straight(file, sm), jumping(file, sm, 1, options);
    std::mt19937 random(1);
    const std::int64_t end = straight.replay->end();
    std::vector<std::int64_t> cycles;
    for (int i = 0; i < 25; ++i)
      cycles.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end - 6)));
    for (int i = 0; i < 5; ++i) cycles.push_back(cycles.back() + 1);
    std::ranges::sort(cycles);
    std::map<std::int64_t, std::string> pictures;
    for (const std::int64_t cycle : cycles) {
      straight.replay->seek(cycle);
      pictures[cycle] = replay_text(*straight.replay);
    }
    for (int walk = 0; walk < 2; ++walk) {
      std::ranges::shuffle(cycles, random);
      for (const std::int64_t cycle : cycles) {
        jumping.replay->seek(cycle);
        ASSERT_EQ(jumping.replay->cycle(), cycle);
        ASSERT_EQ(replay_text(*jumping.replay), pictures[cycle]) << "cycle " << cycle;
      }
    }
    checkpoints += jumping.replay->checkpoints().size();
  }
  EXPECT_GT(checkpoints, 3 * replayed_launches().size());
}

TEST(SmReplay, StepsForwardAndBackReverseEachOther) {
  SmReplay::Options options;
  options.checkpoint_instructions = 200;
  Recorded recorded("validate/reference/timed/matmul16_128x128x128.json", 0, 1, options);
  std::mt19937 random(2);
  for (int i = 0; i < 20; ++i) {
    const auto start = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(recorded.replay->end() - 100));
    const auto steps = static_cast<std::int64_t>(1 + random() % 60);
    recorded.replay->seek(start);
    const std::string before = replay_text(*recorded.replay);
    for (std::int64_t step = 1; step <= steps; ++step) recorded.replay->seek(start + step);
    for (std::int64_t step = steps; step-- > 0;) recorded.replay->seek(start + step);
    ASSERT_EQ(replay_text(*recorded.replay), before) << "from cycle " << start << ", " << steps << " steps";
  }
}

TEST(SmReplay, TheNumberOfHostThreadsDoesNotMatter) {
  const std::filesystem::path file = "validate/reference/timed/reduce_1048576.json";
  Recorded one(file, 5, 1), three(file, 5, 3);
  EXPECT_EQ(one.record.sms[5].patches.size(), three.record.sms[5].patches.size());
  for (std::int64_t cycle = 100; cycle < one.replay->end(); cycle += 997) {
    one.replay->seek(cycle);
    three.replay->seek(cycle);
    ASSERT_EQ(replay_text(*one.replay), replay_text(*three.replay)) << cycle;
  }
}

TEST(SmReplay, KeepsWithinItsBudget) {
  SmReplay::Options options;
  options.checkpoint_instructions = 32;
  options.checkpoint_bytes = 4 << 20;
  Recorded recorded("validate/reference/timed/matmul16_256x256x256.json", 0, 1, options);
  recorded.replay->seek(recorded.replay->end());
  EXPECT_LE(recorded.replay->bytes(), std::size_t{6} << 20);
  EXPECT_GT(recorded.replay->checkpoints().size(), 3u);
  recorded.replay->seek(100);
  EXPECT_EQ(recorded.replay->cycle(), 100);
}

}  // namespace
}  // namespace warpwalk::gpu
