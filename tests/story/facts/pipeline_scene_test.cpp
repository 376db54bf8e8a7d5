// The schedulers' beat about blocks whose warps hand data over: its sentences and tables say what the run did.
#include <memory>
#include <stdexcept>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/gpu/history/pipeline/block_pipeline.h"
#include "core/platform/read_file.h"
#include "core/records/hardware.h"
#include "core/run/replay/history.h"
#include "core/run/replay/time_travel.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

using ::testing::HasSubstr;

/// A kernel of tests/exec/kernels/asynchronous.cu in a trace.
Crafted asynchronous_kernel(const std::string& entry, std::uint32_t threads) {
  const auto cubin = platform::read_compressed_file(WARPWALK_SOURCE_DIR "/tests/exec/cubins/asynchronous.cubin.gz");
  if (!cubin) throw std::runtime_error("no cubin");
  auto history = std::make_shared<run::History>();
  history->stand_in = true;
  history->replaced = {"aten::mm", {{64, 64}}};
  history->entry = entry;
  history->cubin = std::string(cubin->text);
  auto program = gpu::prepare_machine_code(std::string(cubin->text), entry);
  if (!program) throw std::runtime_error(program.error());
  history->program = *program;
  history->device = *hardware().find("h200");
  gpu::Launch& launch = history->before;
  launch.block = {threads, 1, 1};
  launch.buffers.push_back({"in", std::vector<std::uint8_t>(8 * 2304), true});
  launch.buffers.push_back({"out", std::vector<std::uint8_t>(1 << 14), true});
  for (const std::int32_t buffer : {0, 1}) launch.arguments.emplace_back().buffer = buffer;
  launch.arguments.emplace_back().bytes = {6, 0, 0, 0};
  Crafted made{
      entry,
      SmallTrace().h200().op("aten::mm", 0, 50).call("cudaLaunchKernel", 10, 5, 1).kernel(entry, 20, 100, 1).read(),
      {},
      {}};
  made.walk = default_walk(made.trace);
  // Only kernels with shared memory have the beat.
  made.trace.kernels[made.trace.slices.detail[made.walk.kernel]].shared_bytes = 4672;
  made.history = HistoryView::State::ready;
  made.simulated = history;
  run::HistoryOptions options;
  options.device = history->device;
  auto travel = run::TimeTravel::make(made.trace, made.walk.kernel, made.simulated, options);
  if (!travel) throw std::runtime_error(travel.error());
  made.travel = std::move(*travel);
  return made;
}

Stage stage_of_pipeline(const Crafted& made, std::string_view scene, std::string_view beat,
                        std::optional<std::int64_t> cycle = {}, const Predictions& said = {}) {
  const Scene& found = *find_scene(scene);
  SceneInput input{made.trace, made.walk, english(), hardware(), {}, made.controls};
  input.moment = {Moment::Kind::beat, beat_named(found, made.trace, made.walk, beat), 1};
  input.history = made.view();
  input.cycle = cycle;
  input.predictions = said;
  return stage_of(found, input);
}

TEST(PipelineScene, NamesProducersConsumersAndWhatAPhaseLacks) {
  const Crafted made = asynchronous_kernel("pipeline_none", 160);
  const std::uint16_t sm = made.travel->busy_sms().front();
  const auto pipeline = made.travel->pipeline(sm, 0);
  ASSERT_NE(pipeline, nullptr);
  EXPECT_EQ(made.travel->pipeline(sm, 1), nullptr);
  const Stage stage = stage_of_pipeline(made, "schedulers", "pipeline");
  EXPECT_EQ(stage.title, "Producer: warp 4. Consumer: warps 0 to 3");
  EXPECT_THAT(stage.sentence,
              HasSubstr("Warp 4 started 4 bulk copies to shared memory before this cycle, 4,608 bytes in all."));
  EXPECT_THAT(stage.sentence, HasSubstr("warps 0 to 3 wait for phase 0 of mbarrier 1, which lacks 2,304 bytes."));
  // Every cycle says what the shared memory holds then; backwards too.
  for (std::int64_t cycle = pipeline->log.to - 1; cycle > pipeline->log.from; cycle -= 409) {
    const Stage at = stage_of_pipeline(made, "schedulers", "pipeline", cycle);
    const TablePicture& table = panel_picture<TablePicture>(at, 1, 1);
    ASSERT_EQ(table.rows.size(), 4u);
    const auto moment = made.travel->at(sm, cycle);
    if (moment->blocks.empty()) continue;
    for (const TableRow& row : table.rows) {
      const std::size_t index = std::stoul(row.cells[0].shown()) - 1;
      const gpu::MbarrierState state = gpu::Layout90::state_of(gpu::mbarrier_bits(
          moment->blocks.front()->shared.data() + (pipeline->mbarriers[index].offset - gpu::shared_begin)));
      if (state.expected == 0) continue;
      EXPECT_EQ(row.cells[3].shown(), fmt::format("{} of {}", state.pending, state.expected)) << cycle;
      EXPECT_EQ(row.cells[4].shown(), with_thousands(state.pending_bytes)) << cycle;
    }
  }
}

TEST(PipelineScene, AsksWhichWarpsFillTheSharedMemory) {
  const Crafted made = asynchronous_kernel("pipeline_none", 160);
  Predictions asking;
  asking.asking = true;
  const Stage before = stage_of_pipeline(made, "schedulers", "pipeline", {}, asking);
  ASSERT_TRUE(before.question);
  EXPECT_EQ(before.question->key, "schedulers.pipeline");
  EXPECT_EQ(before.question->options, (std::vector<std::string>{"warps 0 to 3", "warp 4"}));
  EXPECT_TRUE(before.facts.size() <= 1);
  asking.answer_any(before.question->key, 1);
  const Stage answered = stage_of_pipeline(made, "schedulers", "pipeline", {}, asking);
  ASSERT_TRUE(answered.question);
  EXPECT_TRUE(answered.question->correct());
  EXPECT_THAT(answered.question->why, HasSubstr("Warp 4 started"));
}

TEST(PipelineScene, TheLanesSayTheRoleOfTheirWarp) {
  const Crafted made = asynchronous_kernel("pipeline_none", 160);
  const Stage stage = stage_of_pipeline(made, "lanes", "any");
  EXPECT_EQ(fact_text(stage, "Role in its block"), "consumer");
}

TEST(PipelineScene, OtherBlocksHaveNoProducers) {
  const Crafted without = asynchronous_kernel("turns_none", 256);
  EXPECT_EQ(stage_of_pipeline(without, "schedulers", "pipeline").title,
            "No mbarrier and no asynchronous copy in this block");
  const Crafted same = asynchronous_kernel("copied_none", 128);
  EXPECT_EQ(stage_of_pipeline(same, "schedulers", "pipeline").title, "Warps 0 to 3 fill shared memory and read it");
}

}  // namespace
}  // namespace warpwalk::story::testing
