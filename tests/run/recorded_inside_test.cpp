// The shipped walks whose launches were recorded with their memory (warpwalk record --inside) on an H100 or H200.
#include <filesystem>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/run/launch/cupti_time.h"
#include "core/run/replay/history.h"
#include "core/run/replay/load_recorded.h"
#include "core/run/replay/recorded_launch.h"
#include "core/run/replay/time_travel.h"
#include "core/trace/read/read_trace.h"
#include "tests/run/history_trace.h"

namespace warpwalk::run {
namespace {

using testing::assets_folder;

struct Shipped {
  const char* name;
  std::size_t launches;
};

class RecordedInside : public ::testing::TestWithParam<Shipped> {
 protected:
  trace::Trace walk() const {
    const auto file = assets_folder() / "walks" / (std::string(GetParam().name) + ".json.gz");
    EXPECT_LT(std::filesystem::file_size(file), 300'000u);
    trace::ReadResult read = trace::read_trace(file);
    EXPECT_FALSE(read.error);
    return std::move(read.trace);
  }
  HistoryOptions options() const {
    HistoryOptions options;
    options.device = *gpu::load_device(assets_folder() / "devices/h200.json");
    return options;
  }
};

TEST_P(RecordedInside, LeavesTheBitsThatTheGpuLeft) {
  const trace::Trace trace = walk();
  const auto kernels = recorded_launches(trace);
  ASSERT_EQ(kernels.size(), GetParam().launches);
  for (const trace::SliceId kernel : kernels) {
    const auto built = build_history(trace, kernel, options());
    ASSERT_EQ(built.index(), 0u) << std::get<1>(built).reason;
    const History& history = *std::get<0>(built);
    EXPECT_TRUE(history.recorded);
    EXPECT_EQ(history.digests, History::Digests::equal) << history.announced;
    EXPECT_TRUE(history.simulation.findings.empty());
  }
}

// One bit of an input is changed: the result has other bits, and that is seen.
TEST_P(RecordedInside, OtherMemoryLeavesOtherBits) {
  trace::Trace trace = walk();
  const trace::SliceId kernel = recorded_launches(trace).front();
  trace::RecordedState& inside =
      *trace.records.kernels[static_cast<std::size_t>(trace.kernels[trace.slices.detail[kernel]].record)].state;
  for (trace::MemoryRange& range : inside.memory)
    if (range.content == trace::MemoryRange::Content::bytes) {
      range.before[2] ^= 0x40;
      break;
    }
  const auto built = build_history(trace, kernel, options());
  ASSERT_EQ(built.index(), 0u);
  EXPECT_EQ(std::get<0>(built)->digests, History::Digests::different);
}

TEST_P(RecordedInside, HasCyclesOfTheRecordedMachineCode) {
  const trace::Trace trace = walk();
  for (const trace::SliceId kernel : recorded_launches(trace)) {
    const auto built = build_history(trace, kernel, options());
    ASSERT_EQ(built.index(), 0u);
    const auto travel = TimeTravel::make(trace, kernel, std::get<0>(built), options());
    ASSERT_TRUE(travel) << travel.error();
    const gpu::LaunchTiming& timing = (*travel)->timing();
    EXPECT_FALSE(timing.estimated);
    EXPECT_FALSE(timing.cut);
    // Other work of the program wrote or copied its memory just before.
    EXPECT_EQ(timing.caches, gpu::CacheStart::warm);
    EXPECT_EQ(timing.dram_read_bytes, 0u);
    const double measured = static_cast<double>(trace.slices.duration[kernel]);
    EXPECT_NEAR(cupti_ns(options().device, timing, gpu_of(trace, kernel)) / measured, 1, 0.2);
  }
}

// As after `record --on sim --cycles`, which keeps what L2 holds before each launch.
TEST_P(RecordedInside, StartsFromTheRecordedCaches) {
  trace::Trace trace = walk();
  const trace::SliceId kernel = recorded_launches(trace).front();
  trace::KernelRecord& record =
      trace.records.kernels[static_cast<std::size_t>(trace.kernels[trace.slices.detail[kernel]].record)];
  auto recorded = recorded_launch(record, recorded_code(record, trace.records.modules[record.module]));
  ASSERT_TRUE(recorded) << recorded.error();
  gpu::CacheState state = *gpu::CacheState::make(options().device);
  state.begin_transfer();
  for (const trace::MemoryRange& range : record.state->memory) state.pass({range.address, range.bytes, true, true});
  const gpu::CacheState before = state;
  gpu::TimingOptions how;
  how.state = &state;
  const auto timed = gpu::time_launch(options().device, *recorded->program, recorded->launch, how);
  ASSERT_TRUE(timed) << timed.error();

  record.state->caches = before.saved(state);
  const auto built = build_history(trace, kernel, options());
  ASSERT_EQ(built.index(), 0u);
  const auto travel = TimeTravel::make(trace, kernel, std::get<0>(built), options());
  ASSERT_TRUE(travel) << travel.error();
  EXPECT_EQ((*travel)->timing().caches, gpu::CacheStart::carried);
  EXPECT_EQ((*travel)->timing().cycles, timed->cycles);
  EXPECT_EQ((*travel)->timing().l2_hits, timed->l2_hits);

  // Those of another GPU, or damaged.
  record.state->caches.resize(record.state->caches.size() / 2);
  EXPECT_FALSE(recorded_caches(*record.state, options().device));
}

INSTANTIATE_TEST_SUITE_P(Walks, RecordedInside,
                         ::testing::Values(Shipped{"h200_relu_matmul_inside", 2}, Shipped{"h200_triton_relu_matmul", 1},
                                           Shipped{"h200_training_step_inside", 1}),
                         [](const auto& shipped) { return std::string(shipped.param.name); });

// tests/instrumentation/programs/kinds_of_memory.cu on an H200: pinned and managed memory, variables of the module,
// pointers in a structure and in a table, a cooperative grid; and a texture, which is not recorded.
TEST(RecordedKinds, OfMemoryAreAllReached) {
  const trace::ReadResult read = trace::read_trace(WARPWALK_SOURCE_DIR "/tests/run/data/kinds_of_memory.json.gz");
  ASSERT_FALSE(read.error);
  ASSERT_EQ(recorded_launches(read.trace).size(), 7u);
  const gpu::Device device = *gpu::load_device(assets_folder() / "devices/h200.json");
  std::size_t same = 0;
  for (std::uint64_t number = 1; number <= 7; ++number) {
    auto made = load_recorded(read.trace, number, "kinds.json.gz");
    if (!made) {
      EXPECT_EQ(made.error(), "kinds.json.gz: _Z10of_textureyPfi reads textures or surfaces, which are not recorded");
      continue;
    }
    auto& recorded = *made;
    const auto ran = run_launch(device, recorded.loaded, {});
    ASSERT_TRUE(ran) << ran.error();
    const RecordedOutputs outputs = recorded_outputs(recorded.record, recorded.loaded.launch);
    EXPECT_EQ(outputs.different, 0u) << recorded.loaded.file.kernel << ": " << outputs.first_different;
    same += outputs.same > 0;
  }
  EXPECT_EQ(same, 6u);
}

TEST(LoadRecorded, NamesWhatIsNotThere) {
  const trace::ReadResult plain = trace::read_trace(assets_folder() / "walks/h200_two_streams.json.gz");
  const auto none = load_recorded(plain.trace, 1, "two.json.gz");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error(),
            "two.json.gz: no launch was recorded with its memory; record one with warpwalk record --inside");
  const trace::ReadResult inside = trace::read_trace(assets_folder() / "walks/h200_triton_relu_matmul.json.gz");
  const auto beyond = load_recorded(inside.trace, 2, "t.json.gz");
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error(), "--launch 2: t.json.gz has 1 launch recorded with memory");
}

}  // namespace
}  // namespace warpwalk::run
