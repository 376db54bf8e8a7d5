// Words that several scenes share: stand-ins, merged bars, threads and GPUs, and the parameters of a device.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/analysis/device_match.h"
#include "core/records/hardware.h"
#include "core/run/replay/history.h"
#include "core/story/facts/launch/device_parameter.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scene_list.h"
#include "core/story/scenes/sm/picture.h"
#include "core/story/stage/history_view.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

TEST(CommonWords, AStandInSaysWhatItReplacesAndWhatItComputesDifferently) {
  run::History history;
  history.entry = "matmul_tiled";
  history.replaced = {"aten::mm", {{48, 40}, {40, 32}}};
  EXPECT_EQ(stand_in_text(english(), history), "matmul_tiled for aten::mm, 48x40 by 40x32");
  using Difference = run::ReplacedOp::Difference;
  history.replaced.difference = Difference::addition;
  EXPECT_EQ(stand_in_text(english(), history),
            "matmul_tiled for aten::mm, the products alone, without the matrices added to them, 48x40 by 40x32");
  history.entry = "sum";
  history.replaced = {"aten::mean", {{7}}, Difference::division, 2, 3};
  EXPECT_EQ(stand_in_text(english(), history),
            "sum for aten::mean, the sum alone, without the division, 7, launch 2 of 3");
  history.entry = "add";
  history.replaced = {"aten::add", {{}}, Difference::number};
  EXPECT_EQ(stand_in_text(english(), history),
            "add for aten::add with 2 for its number, which is not recorded, a scalar");
}

TEST(CommonWords, EveryKindOfBarCanBeMerged) {
  for (const Role role : {Role::python, Role::op, Role::call, Role::launch, Role::wait, Role::kernel, Role::copy,
                          Role::fill, Role::overhead})
    EXPECT_TRUE(english().has("merged", name_of(role))) << name_of(role);
  EXPECT_EQ(english().keys("merged").size(), 9u);
}

TEST(CommonWords, ThreadsStreamsAndGpusHaveNames) {
  SmallTrace busy;
  busy.op("aten::relu", 0, 1000).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 20, 900, 1).copy("Memcpy", 930, 5, 0);
  const Trace trace = busy.read();
  const Walk walk = default_walk(trace);
  const trace::Track& gpu = trace.tracks[trace.slices.track[walk.kernel]];
  EXPECT_EQ(track_label(english(), trace, trace.slices.track[walk.kernel]),
            "GPU " + std::string(trace.text(gpu.pid)) + " stream " + std::to_string(gpu.stream));
  EXPECT_TRUE(track_label(english(), trace, trace.slices.track[walk.op]).starts_with("CPU thread "));
  EXPECT_EQ(device_label(english(), trace, trace::absent), "GPU");
  EXPECT_EQ(device_label(english(), trace, 77), "GPU 77");
  const Trace& recorded = sample("relu_matmul");
  EXPECT_EQ(device_label(english(), recorded, recorded.devices.front().id),
            "GPU 0, " + std::string(recorded.text(recorded.devices.front().name)));
  for (const trace::SliceKind kind : {trace::SliceKind::kernel, trace::SliceKind::memcpy, trace::SliceKind::memset})
    EXPECT_TRUE(english().has("work", trace::name_of(kind)));
}

TEST(CommonWords, AParameterSaysWhatItMeansAndWhereItsValueIsFrom) {
  gpu::Device device = *hardware().find("h200");
  EXPECT_EQ(parameter_text(english(), device, "warps_per_sm"),
            "64: maximum number of resident warps per SM (published)\n" + device.warps_per_sm.source);
  EXPECT_EQ(parameter_text(english(), device, "shared_per_sm"),
            "228 KiB: shared memory of an SM at its largest carve-out (published)\n" + device.shared_per_sm.source);
  EXPECT_EQ(parameter_text(english(), device, "compute_capability"),
            "9.0: the instruction set's generation (published)\n" + device.compute_capability.source);
  EXPECT_EQ(parameter_text(english(), device, "deal_gpc"),
            "0.25: wait for a last, partial round: per block dealt to a GPC (fitted to measurements)\n" +
                device.deal_gpc.source);
  device.warps_per_sm = {48, gpu::Status::spec, std::string(analysis::recorded_source)};
  EXPECT_EQ(parameter_text(english(), device, "warps_per_sm"),
            "48: maximum number of resident warps per SM (published)\nas the trace records it of its GPU");
  device.barriers_per_sm = {};
  EXPECT_EQ(parameter_text(english(), device, "barriers_per_sm"), "");
  for (const gpu::Status status : {gpu::Status::spec, gpu::Status::measured, gpu::Status::fitted, gpu::Status::assumed})
    EXPECT_TRUE(english().has("parameter.status", gpu::name_of(status)));
  EXPECT_EQ(figure_of(device.block_replacement).origin(), Origin::measured);
  EXPECT_EQ(figure_of(device.block_replacement).text(), "380");
  EXPECT_EQ(figure_of(device.threads_per_block).origin(), Origin::explained);
}

TEST(CommonWords, TheSmExplainsTheParametersOfItsDevice) {
  const Trace& trace = sample("relu_matmul");
  const Stage stage = stage_at_beat(*find_scene("sm"), trace, default_walk(trace), 3);
  const SmPicture& sm = shared_picture<SmPicture>(stage);
  const std::pair<std::string_view, std::string_view> meanings[] = {
      {"warps", "maximum number of resident warps per SM"},
      {"registers", "32-bit registers of an SM"},
      {"shared", "shared memory of an SM at its largest carve-out"},
      {"blocks", "maximum number of resident thread blocks per SM"},
      {"barriers", "hardware barriers that the resident blocks of an SM share"}};
  ASSERT_EQ(sm.limits.size(), std::size(meanings));
  for (std::size_t i = 0; i < sm.limits.size(); ++i) {
    EXPECT_EQ(sm.limits[i].key, meanings[i].first);
    EXPECT_THAT(sm.limits[i].source, ::testing::HasSubstr(meanings[i].second));
  }
  for (const std::string* const tip : {&sm.tip_slots, &sm.tip_registers, &sm.tip_shared, &sm.tip_carveout,
                                       &sm.tip_block_slots, &sm.tip_barriers, &sm.gpu_tip})
    EXPECT_THAT(*tip, ::testing::HasSubstr("(published)\n"));
}

}  // namespace
}  // namespace warpwalk::story::testing
