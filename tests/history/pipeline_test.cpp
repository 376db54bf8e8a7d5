// Phases of mbarriers, stages and roles of warps, compared with what the instructions of the block say on their own.
#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>

#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/gpu/history/pipeline/block_pipeline.h"
#include "core/gpu/history/sm_window.h"
#include "core/platform/read_file.h"
#include "tests/timing/timed.h"

namespace warpwalk::gpu {
namespace {

constexpr std::uint32_t rounds = 6, stages = 2, stage_bytes = 2304;

/// A kernel of tests/exec/kernels/asynchronous.cu, recorded and replayed.
struct AsynchronousRun {
  AsynchronousRun(const std::string& kernel, std::uint32_t threads, std::uint64_t most_instructions = 0) {
    const auto cubin = platform::read_compressed_file(timed::tests() / "exec/cubins/asynchronous.cubin.gz");
    if (!cubin) throw std::runtime_error("no cubin");
    auto prepared = prepare_machine_code(std::string(cubin->text), kernel);
    if (!prepared) throw std::runtime_error(prepared.error());
    program = *prepared;
    launch.block = {threads, 1, 1};
    launch.buffers.push_back({"in", std::vector<std::uint8_t>(8 * stage_bytes), true});
    launch.buffers.push_back({"out", std::vector<std::uint8_t>(1 << 14), true});
    for (const std::int32_t buffer : {0, 1}) launch.arguments.emplace_back().buffer = buffer;
    launch.arguments.emplace_back().bytes = {static_cast<std::uint8_t>(rounds), 0, 0, 0};
    Launch timed = launch;
    LaunchRecorder recorder;
    TimingOptions how;
    how.recorder = &recorder;
    how.max_warp_instructions = most_instructions;
    const auto timing = time_launch(timed::h200(), *program, timed, how);
    if (!timing) throw std::runtime_error(timing.error());
    record = std::move(recorder.record());
    const auto sm = static_cast<std::uint16_t>(timing->sm.front());
    replay = *SmReplay::make(timed::h200(), *program, launch, record, sm, {});
  }
  BlockPipeline pipeline() { return pipeline_of(watch_block(*replay, *program, 0, 0, replay->end())); }

  std::shared_ptr<const Program> program;
  Launch launch;
  LaunchRecord record;
  std::unique_ptr<SmReplay> replay;
};

std::size_t completed(const MbarrierLife& life) {
  return static_cast<std::size_t>(
      std::ranges::count_if(life.phases, [](const MbarrierPhase& phase) { return phase.completed.has_value(); }));
}

/// Arrivals by the place of the mbarrier, counted in what was issued.
std::map<std::uint32_t, std::size_t> arrivals_in(const SmWindow& window, const Program& program) {
  std::map<std::uint32_t, std::size_t> arrivals;
  for (const Issue& issue : window.issues) {
    if (program.sources[issue.what.instruction].instruction->opcode != ptx::Opcode::mbarrier_arrive) continue;
    for (const LoggedAccess& access : issue.accesses)
      for (std::size_t lane = 0; lane < 32; ++lane)
        if ((access.mask >> lane & 1) != 0) ++arrivals[static_cast<std::uint32_t>(access.at[lane])];
  }
  return arrivals;
}

TEST(Pipeline, PhasesFollowFromTheArrivals) {
  for (const auto& [kernel, threads] :
       {std::pair{"pipeline_none", 160U}, {"pair_none", 288U}, {"pipeline_whole_group_arrives", 160U}}) {
    SCOPED_TRACE(kernel);
    AsynchronousRun run(kernel, threads);
    const BlockPipeline pipeline = run.pipeline();
    EXPECT_TRUE(pipeline.log.ended);
    ASSERT_EQ(pipeline.mbarriers.size(), 2 * stages);
    const auto arrivals = arrivals_in(watch_window(*run.replay, 0, run.replay->end()), *run.program);
    for (const MbarrierLife& life : pipeline.mbarriers) {
      EXPECT_EQ(completed(life), rounds / stages);
      ASSERT_TRUE(arrivals.contains(life.offset));
      EXPECT_EQ(completed(life), arrivals.at(life.offset) / life.phases.front().expected);
      for (std::size_t i = 0; i < life.phases.size(); ++i) {
        const MbarrierPhase& phase = life.phases[i];
        EXPECT_EQ(phase.number, i);
        EXPECT_TRUE(std::ranges::is_sorted(phase.counts, {}, &MbarrierCount::cycle));
        if (!phase.completed) continue;
        EXPECT_EQ(life.phases[i + 1].from, *phase.completed);
        // The bytes of its copies end a phase of a full stage, an arrival one of an empty stage.
        EXPECT_EQ(phase.by_bytes, life.counts_bytes);
        EXPECT_EQ(phase.announced, life.counts_bytes ? stage_bytes : 0);
      }
    }
  }
}

TEST(Pipeline, TheWarpThatCopiesIsTheProducer) {
  AsynchronousRun run("pipeline_none", 160);
  const BlockPipeline pipeline = run.pipeline();
  ASSERT_EQ(pipeline.groups.size(), 2u);
  EXPECT_EQ(pipeline.groups[0].role, WarpRole::consumer);
  EXPECT_EQ(pipeline.groups[0].count, 4u);
  EXPECT_EQ(pipeline.groups[1].role, WarpRole::producer);
  EXPECT_EQ(pipeline.groups[1].first, 4u);
  EXPECT_EQ(count_of(pipeline.groups[1].tasks, PipelineTask::bulk_load), 2 * rounds);
  EXPECT_EQ(count_of(pipeline.groups[0].tasks, PipelineTask::product), 4 * rounds);
  const BlockPipeline::Copies copies = pipeline.copies_of(pipeline.groups[1], pipeline.log.to);
  EXPECT_EQ(copies.count, 2 * rounds);
  EXPECT_EQ(copies.bytes, std::uint64_t{rounds} * stage_bytes);
  EXPECT_TRUE(pipeline.is_specialized());
}

TEST(Pipeline, StagesAreFilledAndGivenBackInTurn) {
  AsynchronousRun run("pipeline_none", 160);
  const BlockPipeline pipeline = run.pipeline();
  ASSERT_EQ(pipeline.stages.size(), stages);
  for (const PipelineStage& stage : pipeline.stages) {
    ASSERT_TRUE(stage.empty);
    const auto full = std::ranges::find(pipeline.mbarriers, stage.full, &MbarrierLife::offset);
    EXPECT_TRUE(full->counts_bytes);
    EXPECT_EQ(*stage.empty, stage.full + 8 * stages);
    std::uint32_t filled = 0;
    for (std::size_t i = 0; i < stage.spans.size(); ++i) {
      const StageSpan& span = stage.spans[i];
      EXPECT_LT(span.from, span.to);
      EXPECT_EQ(span.from, i == 0 ? pipeline.log.from : stage.spans[i - 1].to);
      if (span.state != StageState::full) continue;
      EXPECT_EQ(span.round, ++filled);
      EXPECT_EQ(stage.spans[i - 1].state, StageState::filling);
      EXPECT_EQ(span.from, *full->phases[filled - 1].completed);
    }
    EXPECT_EQ(filled, rounds / stages);
    EXPECT_EQ(stage.spans.back().to, pipeline.log.to);
    EXPECT_EQ(stage.spans.back().state, StageState::empty);
  }
}

TEST(Pipeline, ItIsTheSharedMemoryOfAnyCycle) {
  AsynchronousRun run("pipeline_none", 160);
  const BlockPipeline pipeline = run.pipeline();
  // Backwards, so that the replay goes back each time.
  for (std::int64_t cycle = pipeline.log.to - 1; cycle > 0; cycle -= 61) {
    run.replay->seek(cycle);
    const SmState state = run.replay->state();
    if (state.warps.empty()) continue;
    const BlockState& block = *state.warps.front().block;
    for (const MbarrierLife& life : pipeline.mbarriers) {
      const MbarrierPhase* const phase = life.at(cycle);
      const std::uint64_t bits = mbarrier_bits(block.shared.data() + (life.offset - shared_begin));
      if (phase == nullptr) continue;
      const MbarrierState now = Layout90::state_of(bits);
      EXPECT_EQ(phase->number & 1, now.odd ? 1u : 0u) << cycle;
      EXPECT_EQ(phase->at(cycle).arrivals, now.pending) << cycle;
      EXPECT_EQ(phase->at(cycle).bytes, now.pending_bytes) << cycle;
      EXPECT_EQ(phase->expected, now.expected) << cycle;
    }
    // A warp whose last test failed waits, until the phase ends.
    for (const WarpState& warp : state.warps) {
      const BlockPipeline::Wait wait = pipeline.wait_of(warp.place.warp, cycle);
      if (wait.phase == nullptr) continue;
      EXPECT_EQ(warp.warp->failed_test.address & 0xffffff, pipeline.mbarriers[wait.mbarrier].offset) << cycle;
      EXPECT_EQ(warp.warp->failed_test.odd, (wait.phase->number & 1) != 0) << cycle;
    }
  }
}

TEST(Pipeline, ADeadlockedWarpStillWaitsAtTheEnd) {
  AsynchronousRun run("pipeline_no_release", 160, 2000);
  const BlockPipeline pipeline = run.pipeline();
  EXPECT_FALSE(pipeline.log.ended);
  const BlockPipeline::Wait producer = pipeline.wait_of(4, pipeline.log.to - 1);
  ASSERT_NE(producer.phase, nullptr);
  EXPECT_FALSE(producer.phase->completed);
  EXPECT_FALSE(pipeline.mbarriers[producer.mbarrier].counts_bytes);
  EXPECT_EQ(producer.phase->at(pipeline.log.to - 1), (MbarrierCount{producer.phase->from, 1, 0}));
}

// By hand: two arrivals and 64 bytes a phase; warp 1 waits for phase 0 and leaves, for another reason, in phase 1.
TEST(Pipeline, PhasesOfALogByHand) {
  BlockLog log;
  log.to = 100;
  log.warps.resize(2);
  log.waits.resize(2);
  const auto change = [&](std::int64_t cycle, std::uint32_t pending, std::int32_t bytes, bool odd, bool fresh = false) {
    log.changes.push_back({cycle, 2048, {2, pending, bytes, odd}, fresh});
  };
  change(5, 2, 0, false, true);
  change(10, 1, 64, false);
  change(20, 0, 64, false);
  change(30, 2, 0, true);
  change(40, 1, 0, true);
  log.waits[1] = {{1, 7, 2048, false, 12, 31}, {1, 7, 2048, true, 35, 50}};
  const std::vector<MbarrierLife> lives = mbarriers_of(log);
  ASSERT_EQ(lives.size(), 1u);
  EXPECT_EQ(lives[0].at(5), nullptr);
  ASSERT_EQ(lives[0].phases.size(), 2u);
  const MbarrierPhase &first = lives[0].phases[0], &second = lives[0].phases[1];
  EXPECT_EQ(first.completed, 30);
  EXPECT_TRUE(first.by_bytes);
  EXPECT_EQ(first.announced, 64u);
  EXPECT_EQ(first.at(11), (MbarrierCount{10, 1, 64}));
  EXPECT_EQ(first.at(10), (MbarrierCount{5, 2, 0}));
  ASSERT_EQ(first.waiters.size(), 1u);
  EXPECT_EQ(first.waiters[0].to, 30);
  EXPECT_FALSE(second.completed);
  ASSERT_EQ(second.waiters.size(), 1u);
  EXPECT_EQ(second.waiters[0].to, 50);
  EXPECT_TRUE(second.waiters[0].waits_at(49));
  EXPECT_FALSE(second.waiters[0].waits_at(50));
}

}  // namespace
}  // namespace warpwalk::gpu
