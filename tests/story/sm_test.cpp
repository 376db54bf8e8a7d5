// One SM: its figures against arithmetic of their own, its motion, and what a person can set.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/blocks/occupancy.h"
#include "core/records/hardware.h"
#include "core/story/scene_list.h"
#include "core/story/scenes/sm/picture.h"
#include "core/story/transcript.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

using SmSettings = std::vector<std::pair<std::string, double>>;

Stage sm_stage(const Trace& trace, const Walk& walk, std::int64_t beat, double phase = 1, const SmSettings& set = {}) {
  SceneInput input{trace, walk, english(), hardware(), {Moment::Kind::beat, beat, phase}};
  for (const auto& [name, value] : set) input.controls.set(name, value);
  return stage_of(*find_scene("sm"), input);
}

Stage relu(std::int64_t beat, double phase = 1, const SmSettings& set = {}) {
  return sm_stage(sample("relu_matmul"), default_walk(sample("relu_matmul")), beat, phase, set);
}

std::vector<std::int64_t> limits_of(const SmPicture& sm) {
  std::vector<std::int64_t> limits;
  for (const SmLimit& limit : sm.limits) limits.push_back(limit.blocks.value_or(-1));
  return limits;
}

const Control& control(const Stage& stage, std::string_view name) {
  for (const Control& one : stage.controls)
    if (one.name == name) return one;
  ADD_FAILURE() << "no control " << name;
  return stage.controls.front();
}

// Every kernel of the samples, and those that were crafted for this scene.
void for_each_sm_kernel(const std::function<void(const std::string&, const Trace&, const Walk&)>& visit) {
  for (const std::string_view name : sample_names)
    for (std::size_t n = 0; n < sample(name).kernel_order.size(); ++n) {
      const Walk walk = follow_gpu_work(sample(name), sample(name).kernel_order[n]);
      if (kernel_detail(sample(name), walk) != nullptr) visit(fmt::format("{} kernel:{}", name, n), sample(name), walk);
    }
  for (const Crafted& one : crafted_sm()) visit(one.name, one.trace, one.walk);
}

bool has_sm(const Stage& stage) {
  const auto* shared = std::get_if<std::shared_ptr<const SmPicture>>(&stage.picture);
  return shared != nullptr && (*shared)->sub_partitions > 0;
}

TEST(Sm, TheMatmulByHand) {
  // 224 registers x 32 lanes = 7168 = 28 x 256, so nothing is rounded. 65536 / 4 = 16384 registers of a sub-partition
  // hold 2 such warps, all four 8, and 8 / 4 = 2 blocks. 18816 + 1024 = 19840 = 155 x 128 B; 233472 / 19840 = 11.7.
  const SmPicture sm = shared_picture<SmPicture>(relu(4));
  EXPECT_EQ(limits_of(sm), (std::vector<std::int64_t>{16, 2, 11, 32, 64}));
  EXPECT_EQ(sm.blocks.size(), 2u);
  EXPECT_EQ(sm.slots.size(), 8u);
  EXPECT_EQ(sm.registers_per_warp, 7168);
  EXPECT_EQ(sm.shared_per_block, 19840);
  EXPECT_EQ(sm.carveout, 65536);  // 2 x 19840 is more than 32 KiB
  EXPECT_EQ(sm.shared_bar, 262144);
  for (const SmLimit& limit : sm.limits) EXPECT_EQ(limit.limits, limit.key == "registers") << limit.key;
  EXPECT_EQ(fact_text(relu(2), "Registers per block, allocated"), "28,672");
  EXPECT_EQ(fact_text(relu(4), "Occupancy, theoretical"), "12.5 %");
  EXPECT_EQ(fact_text(relu(4), "Registers left free"), "8,192");
  EXPECT_EQ(fact_text(relu(5), "Blocks per SM, first wave"), "0.97");
  EXPECT_EQ(fact_text(relu(5), "Occupancy, first wave, whole GPU"), "6.1 %");
  EXPECT_EQ(fact_text(relu(5), "The profiler's estimate"), "6 %");
  // Three blocks are 12 warps, 3 a sub-partition: 16384 / 3 = 5461, rounded down to 5376 = 21 x 256 = 168 x 32.
  EXPECT_EQ(fact_text(relu(6), "Another block fits with at most"), "168 registers");
  EXPECT_EQ(relu(6).title, "With 168 registers per thread, 3 blocks would fit");
}

TEST(Sm, TheMeanOccupancyIsWhatTheProfilerRecorded) {
  // An independent result: PyTorch computed it from the same launch with NVIDIA's cuda_occupancy.h.
  std::set<double> seen;
  for (const std::string_view name : sample_names) {
    const Trace& trace = sample(name);
    for (const SliceId slice : trace.kernel_order) {
      const Walk walk = follow_gpu_work(trace, slice);
      const trace::KernelDetail* kernel = kernel_detail(trace, walk);
      if (kernel == nullptr) continue;
      const SmPicture sm = shared_picture<SmPicture>(sm_stage(trace, walk, 5));
      ASSERT_EQ(sm.meters.size(), 3u);
      const double threads = kernel->block[0] * kernel->block[1] * kernel->block[2];
      const double lanes = static_cast<double>(sm.waiting_warps * 32);
      EXPECT_EQ(std::floor(sm.meters[1].share * 100 * threads / lanes + 0.5), kernel->occupancy_pct)
          << name << ": " << trace.name(slice);
      EXPECT_DOUBLE_EQ(sm.meters[2].share * 100, kernel->occupancy_pct);
      seen.insert(kernel->occupancy_pct);
    }
  }
  EXPECT_GT(seen.size(), 6u);
}

TEST(Sm, NoResourceIsGivenOutTwice) {
  const SmSettings all[] = {{},
                            {{"sm.block", 96}, {"sm.registers", 41}, {"sm.shared", 0}},
                            {{"sm.block", 32}, {"sm.registers", 8}, {"sm.shared", 12288}},
                            {{"sm.block", 1000}, {"sm.registers", 33}, {"sm.gpu", 5}},
                            {{"sm.block", 7}, {"sm.gpu", 7}}};
  std::size_t looked_at = 0;
  for_each_sm_kernel([&](const std::string& what, const Trace& trace, const Walk& walk) {
    for (const SmSettings& set : all) {
      const Stage stage = sm_stage(trace, walk, 1, 1, set);
      if (!has_sm(stage)) continue;
      ++looked_at;
      const SmPicture sm = shared_picture<SmPicture>(stage);
      const auto blocks = static_cast<std::int64_t>(sm.blocks.size());
      EXPECT_LE(static_cast<std::int64_t>(sm.slots.size()), sm.warps_per_sm) << what;
      EXPECT_EQ(static_cast<std::int64_t>(sm.slots.size()), blocks * (blocks > 0 ? sm.waiting_warps : 0)) << what;
      std::vector<std::int64_t> taken(static_cast<std::size_t>(sm.sub_partitions), 0);
      for (std::size_t n = 0; n < sm.slots.size(); ++n)
        taken[n % static_cast<std::size_t>(sm.sub_partitions)] += sm.registers_per_warp;
      for (const std::int64_t registers : taken) EXPECT_LE(registers, sm.registers_per_sm / sm.sub_partitions) << what;
      EXPECT_LE(blocks * sm.shared_per_block, sm.carveout) << what;
      EXPECT_LE(sm.carveout, sm.shared_bar) << what;
      EXPECT_LE(blocks, sm.block_slots) << what;
      std::int64_t threads = 0;
      for (const SmSlot& slot : sm.slots) threads += slot.threads;
      const double block = control(stage, "block").value;
      EXPECT_EQ(static_cast<double>(threads), static_cast<double>(blocks) * block) << what;
    }
  });
  EXPECT_GT(looked_at, 300u);
}

TEST(Sm, TheSmallestLimitIsTheNumberOfBlocks) {
  for_each_sm_kernel([&](const std::string& what, const Trace& trace, const Walk& walk) {
    const Stage stage = sm_stage(trace, walk, 1);
    if (!has_sm(stage)) return;
    const SmPicture sm = shared_picture<SmPicture>(stage);
    std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
    for (const SmLimit& limit : sm.limits) smallest = std::min(smallest, limit.blocks.value_or(smallest));
    EXPECT_EQ(static_cast<std::int64_t>(sm.blocks.size()), smallest) << what;
    for (const SmLimit& limit : sm.limits) EXPECT_EQ(limit.limits, limit.blocks == smallest) << what << limit.key;
  });
}

gpu::BlockNeeds needs_of(const gpu::Device& device, double threads, double registers, double shared) {
  gpu::BlockNeeds needs;
  needs.threads = static_cast<std::int64_t>(threads);
  needs.registers = static_cast<std::int64_t>(registers);
  needs.static_shared = static_cast<std::int64_t>(shared);
  needs.shared_optin = needs.static_shared > *device.shared_per_block;
  return needs;
}

TEST(Sm, CurvesSayWhatEachSettingWouldGive) {
  const gpu::Device& device = *hardware().find("h200");
  for (const SmSettings& set :
       {SmSettings{}, SmSettings{{"sm.registers", 40}, {"sm.block", 96}, {"sm.shared", 30000}}}) {
    const Stage stage = relu(6, 1, set);
    const SmPicture sm = shared_picture<SmPicture>(stage);
    ASSERT_EQ(sm.curves.size(), 3u);
    for (const ChartPicture& curve : sm.curves) {
      ASSERT_FALSE(curve.steps.empty());
      EXPECT_EQ(curve.reference.has_value(), !set.empty()) << curve.control;
      for (std::size_t i = 1; i < curve.steps.size(); ++i)
        EXPECT_EQ(curve.steps[i].from, curve.steps[i - 1].to + 1) << curve.control;
      bool here = false;
      for (const ChartStep& step : curve.steps)
        for (const double value : {step.from, step.to}) {
          const auto at = [&](std::string_view name) {
            return "sm." + std::string(name) == curve.control ? value : control(stage, name).value;
          };
          const gpu::Occupancy fit =
              gpu::occupancy_of(device, needs_of(device, at("block"), at("registers"), at("shared")));
          EXPECT_EQ(step.value, static_cast<double>(fit.warps_per_sm)) << curve.control << " " << value;
          here = here || (step.from <= curve.here.at && curve.here.at <= step.to && step.value == curve.here.value);
        }
      EXPECT_TRUE(here) << curve.control << ": the current point does not lie on the curve";
    }
  }
}

TEST(Sm, NothingNearerHelps) {
  std::size_t registers = 0, shared = 0;
  for_each_sm_kernel([&](const std::string& what, const Trace& trace, const Walk& walk) {
    const auto last = static_cast<std::int64_t>(find_scene("sm")->beats(trace, walk).size());
    const Stage stage = sm_stage(trace, walk, last);
    if (!has_sm(stage) || shared_picture<SmPicture>(stage).blocks.empty()) return;
    const SmPicture sm = shared_picture<SmPicture>(stage);
    const auto blocks_at = [&](std::string_view name, double value) {
      return shared_picture<SmPicture>(sm_stage(trace, walk, 4, 1, {{std::string(name), value}})).blocks.size();
    };
    for (const std::size_t i : {0u, 1u}) {
      const ChartPicture& curve = sm.curves[i];
      if (!curve.better) continue;
      ++(i == 0 ? registers : shared);
      EXPECT_LT(curve.better->at, curve.here.at) << what;
      EXPECT_GT(blocks_at(curve.control, curve.better->at), sm.blocks.size()) << what << " " << curve.control;
      EXPECT_EQ(blocks_at(curve.control, curve.better->at + 1), sm.blocks.size()) << what << " " << curve.control;
    }
  });
  EXPECT_GT(registers, 3u);
  EXPECT_GE(shared, 1u);
}

TEST(SmControls, ChangeWhatFits) {
  EXPECT_EQ(shared_picture<SmPicture>(relu(4, 1, {{"sm.registers", 168}})).blocks.size(), 3u);
  EXPECT_EQ(shared_picture<SmPicture>(relu(4, 1, {{"sm.registers", 169}})).blocks.size(), 2u);
  EXPECT_EQ(shared_picture<SmPicture>(relu(4, 1, {{"sm.shared", 232448}})).blocks.size(), 1u);  // opted in
  EXPECT_EQ(shared_picture<SmPicture>(relu(4, 1, {{"sm.block", 64}})).blocks.size(), 4u);
  const Stage set = relu(2, 1, {{"sm.registers", 168}});
  EXPECT_TRUE(shared_picture<SmPicture>(set).what_if);
  EXPECT_TRUE(control(set, "registers").set);
  EXPECT_FALSE(control(set, "shared").set);
  for (const Fact& one : set.facts)
    if (one.label == "Registers a thread") {
      EXPECT_EQ(one.figure.origin(), Origin::derived);
      EXPECT_EQ(one.figure.formula(), "set by you; as launched: 224");
    }
}

TEST(SmControls, TheValueAsLaunchedIsNoChange) {
  for (std::int64_t beat = 1; beat <= 6; ++beat)
    EXPECT_EQ(
        everything_on(relu(beat, 1, {{"sm.registers", 224}, {"sm.shared", 18816}, {"sm.block", 128}, {"sm.gpu", 0}})),
        everything_on(relu(beat)));
}

TEST(SmControls, AreClampedToWhatTheGpuCanHave) {
  constexpr double huge = 1e300;
  for (const std::string_view name : {"registers", "shared", "block", "gpu"})
    for (const double value : {-huge, -1.0, 0.4, 31.5, huge})
      for (std::int64_t beat = 1; beat <= 6; ++beat) {
        const Stage stage = relu(beat, 1, {{std::string(name), value}});
        const Control& one = control(stage, name);
        EXPECT_TRUE(std::isfinite(one.value)) << name;
        if (one.kind == Control::Kind::slider) {
          EXPECT_GE(one.value, one.steps.front());
          EXPECT_LE(one.value, one.steps.back());
          EXPECT_EQ(one.value, std::floor(one.value));
        } else {
          EXPECT_LT(one.value, static_cast<double>(one.words.size()));
          EXPECT_GE(one.value, 0);
        }
      }
}

TEST(SmControls, TheGpuCanBeChosen) {
  for (std::size_t n = 0; n < hardware().devices.size(); ++n) {
    const gpu::Device& device = hardware().devices[n];
    const Stage stage = relu(4, 1, {{"sm.gpu", static_cast<double>(n + 1)}});
    EXPECT_EQ(shared_picture<SmPicture>(stage).gpu, fmt::format("{}, {}", device.name, *device.compute_capability));
    EXPECT_EQ(shared_picture<SmPicture>(stage).warps_per_sm, *device.warps_per_sm);
    EXPECT_EQ(shared_picture<SmPicture>(stage).blocks.size(),
              static_cast<std::size_t>(gpu::occupancy_of(device, needs_of(device, 128, 224, 18816)).blocks_per_sm));
    EXPECT_TRUE(shared_picture<SmPicture>(stage).gpu_set);
    EXPECT_EQ(shared_picture<SmPicture>(stage).gpu_source, "set by you");
  }
}

TEST(SmControls, ABlockThatCannotRunSaysWhy) {
  for (std::int64_t beat = 1; beat <= 6; ++beat) {
    const Stage stage = relu(beat, 1, {{"sm.block", 1024}});
    EXPECT_EQ(stage.title, "This thread block (assignment) cannot run on NVIDIA H200");
    EXPECT_THAT(stage.sentence, ::testing::HasSubstr("Its 32 warps take 229,376 registers"));
    EXPECT_TRUE(shared_picture<SmPicture>(stage).blocks.empty());
    EXPECT_EQ(fact_text(stage, "Blocks that fit on one SM"), "0 blocks");
  }
}

TEST(SmDevice, WithoutADescriptionNothingIsClaimedUntilOneIsChosen) {
  for (const std::string_view name : {"a GPU that nobody describes", "a GPU that is not recorded"}) {
    const Crafted& one = crafted_named(name);
    const Stage stage = sm_stage(one.trace, one.walk, 1);
    EXPECT_FALSE(has_sm(stage)) << name;
    EXPECT_EQ(stage.missing.size(), 1u) << name;
    ASSERT_EQ(stage.controls.size(), 1u) << name;
    const Stage chosen = sm_stage(one.trace, one.walk, 1, 1, {{"sm.gpu", 2}});
    EXPECT_TRUE(has_sm(chosen)) << name;
    EXPECT_EQ(shared_picture<SmPicture>(chosen).blocks.size(), 12u)
        << name;  // 128 threads, 40 registers: 1280 a warp, 12 a sub-partition
  }
}

TEST(SmDevice, WithoutAnyDescriptionNothingBreaks) {
  const Hardware none;
  for (const Crafted& one : crafted_sm()) {
    const auto beats = static_cast<std::int64_t>(find_scene("sm")->beats(one.trace, one.walk).size());
    for (std::int64_t beat = 1; beat <= beats; ++beat) {
      SceneInput input{one.trace, one.walk, english(), none, {Moment::Kind::beat, beat, 0.5}};
      input.controls.set("sm.gpu", 3);
      EXPECT_FALSE(has_sm(stage_of(*find_scene("sm"), input))) << one.name;
    }
  }
}

// The visible state of the SM's parts, without words.
std::string shape(const SmPicture& sm) {
  std::string out;
  for (const SmBlock& b : sm.blocks)
    out += fmt::format("{} {} {} {} {} {}\n", b.warps, b.registers, b.shared, b.place, b.warps > 0 ? b.now : 0,
                       sm.sm_shown > 0 ? b.idle : 0);
  return out + fmt::format("{} {} {} {} {} {} {}", sm.waiting, sm.waiting > 0 ? sm.refused : 0, sm.glow, sm.sm_shown,
                           sm.limits_shown, sm.meters_shown, sm.curves_shown);
}

TEST(SmMotion, EachBeatBeginsWhereTheLastOneEnded) {
  std::size_t boundaries = 0;
  for_each_sm_kernel([&](const std::string& what, const Trace& trace, const Walk& walk) {
    for (const SmSettings& set : {SmSettings{}, SmSettings{{"sm.block", 64}, {"sm.registers", 32}}}) {
      const auto beats = static_cast<std::int64_t>(find_scene("sm")->beats(trace, walk).size());
      for (std::int64_t beat = 1; beat < beats; ++beat) {
        const Stage before = sm_stage(trace, walk, beat, 1, set), after = sm_stage(trace, walk, beat + 1, 0, set);
        if (!has_sm(before)) continue;
        ++boundaries;
        EXPECT_EQ(shape(shared_picture<SmPicture>(before)), shape(shared_picture<SmPicture>(after)))
            << what << " b" << beat;
      }
    }
  });
  EXPECT_GT(boundaries, 400u);
}

TEST(SmMotion, BlocksComeOneAfterTheOtherAndStay) {
  for (const SmSettings& set : {SmSettings{}, SmSettings{{"sm.block", 64}, {"sm.registers", 32}, {"sm.shared", 0}}}) {
    std::vector<double> last;
    for (const std::int64_t beat : {1, 2, 3})
      for (int step = 0; step <= 40; ++step) {
        const SmPicture sm = shared_picture<SmPicture>(relu(beat, step / 40.0, set));
        last.resize(sm.blocks.size(), 0);
        std::size_t moving = 0;
        for (std::size_t b = 0; b < sm.blocks.size(); ++b) {
          for (const double part : {sm.blocks[b].warps, sm.blocks[b].registers, sm.blocks[b].shared, sm.blocks[b].place,
                                    sm.blocks[b].now, sm.blocks[b].here}) {
            EXPECT_GE(part, 0);
            EXPECT_LE(part, 1);
          }
          EXPECT_GE(sm.blocks[b].warps, last[b]) << beat << " " << step << ": block " << b << " goes back";
          last[b] = sm.blocks[b].warps;
          moving += sm.blocks[b].warps > 0 && sm.blocks[b].warps < 1;
          if (b > 0) {
            EXPECT_LE(sm.blocks[b].warps, sm.blocks[b - 1].warps);
          }
        }
        EXPECT_LE(moving, 1u) << beat << " " << step;
      }
    for (const double warps : last) EXPECT_EQ(warps, 1);
  }
}

TEST(SmMotion, TheGridThatIsTooSmallLeavesRoom) {
  const SmPicture sm = shared_picture<SmPicture>(relu(5));  // 128 blocks, 132 SMs, 2 would fit
  ASSERT_EQ(sm.blocks.size(), 2u);
  EXPECT_EQ(sm.blocks[0].idle, 0);
  EXPECT_EQ(sm.blocks[1].idle, 1);
  const Crafted& full = crafted_named("shared memory limits, and a last warp is not full");
  const SmPicture whole = shared_picture<SmPicture>(sm_stage(full.trace, full.walk, 5));
  for (const SmBlock& block : whole.blocks) EXPECT_EQ(block.idle, 0);
}

TEST(SmWords, TheTitleNamesTheSmAsChosen) {
  const Trace& trace = sample("relu_matmul");
  const Walk walk = default_walk(trace);
  const auto title = [&](Naming naming) {
    SceneInput input{trace, walk, english(), hardware(), {Moment::Kind::beat, 4, 1}, {}, naming};
    return stage_of(*find_scene("sm"), input).title;
  };
  EXPECT_EQ(title(Naming::hardware), "Registers set the limit: 2 blocks for one SM");
  EXPECT_EQ(title(Naming::company), "Registers set the limit: 2 blocks for one VP");
}

TEST(SmWords, EverySentenceFitsOnTwoLines) {
  // About 105 characters fit on a line of the usual width.
  const auto check = [](const std::string& what, const Stage& stage) {
    EXPECT_LE(stage.sentence.size(), 210u) << what << ": " << stage.sentence;
    EXPECT_LE(stage.title.size(), 75u) << what << ": " << stage.title;
  };
  for_each_sm_kernel([&](const std::string& what, const Trace& trace, const Walk& walk) {
    for (std::size_t beat = 1; beat <= find_scene("sm")->beats(trace, walk).size(); ++beat)
      check(what, sm_stage(trace, walk, static_cast<std::int64_t>(beat)));
  });
}

}  // namespace
}  // namespace warpwalk::story::testing
