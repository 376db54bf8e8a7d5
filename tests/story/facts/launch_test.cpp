#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/analysis/slices.h"
#include "core/records/hardware.h"
#include "core/story/facts/launch/receipt.h"
#include "core/story/facts/launch/stream_queue.h"
#include "core/story/scene_list.h"
#include "core/story/scenes/launch/picture.h"
#include "core/story/scenes/scenes.h"
#include "core/story/transcript.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

// One of one's own, to change.
Crafted fresh(std::string_view name) {
  std::vector<Crafted> all = crafted_launch();
  for (Crafted& one : all)
    if (one.name == name) return std::move(one);
  ADD_FAILURE() << "no crafted trace is named " << name;
  return std::move(all.front());
}

Stage launch_stage(const Trace& trace, const Walk& walk, std::int64_t beat, double phase = 1,
                   const Controls& controls = {}) {
  return find_scene("launch")->stage({trace, walk, english(), hardware(), {Moment::Kind::beat, beat, phase}, controls});
}

LaunchPicture launch_picture(const Stage& stage) {
  return *std::get<std::shared_ptr<const LaunchPicture>>(stage.picture);
}

Stage beat_of(const Crafted& one, std::string_view key, const Controls& controls = {}, double phase = 1) {
  return launch_stage(one.trace, one.walk, beat_named(*find_scene("launch"), one.trace, one.walk, key), phase,
                      controls);
}

Controls controls_of(const std::map<std::string, double>& settings) {
  Controls controls;
  for (const auto& [name, value] : settings) controls.set(name, value);
  return controls;
}

TEST(LaunchSample, TheMatmulLeavesFourSmsIdle) {
  // 224 registers x 32 lanes = 7,168 a warp; 16,384 of a sub-partition hold 2 such warps; 8 warps are 2 blocks of 4.
  const Trace& trace = sample("relu_matmul");
  const Walk walk = default_walk(trace);
  const Stage grid = launch_stage(trace, walk, beat_named(*find_scene("launch"), trace, walk, "grid"));
  EXPECT_EQ(fact_figure(grid, "Grid").text(), "8 × 16 blocks");
  EXPECT_EQ(fact_figure(grid, "Grid").origin(), Origin::measured);
  EXPECT_EQ(fact_figure(grid, "Blocks that fit on one SM").text(), "2 blocks");
  EXPECT_EQ(fact_figure(grid, "Limited by").text(), "registers");
  EXPECT_DOUBLE_EQ(fact_figure(grid, "Theoretical occupancy").value(), 100.0 * 8 / 64);
  const Stage place = launch_stage(trace, walk, beat_named(*find_scene("launch"), trace, walk, "place"));
  EXPECT_THAT(place.title, ::testing::HasSubstr("4 SMs without"));
  EXPECT_EQ(fact_figure(place, "SMs with a block at first").value(), 128);
  EXPECT_EQ(fact_figure(place, "SMs with a block at first").origin(), Origin::simulated);
  EXPECT_EQ(fact_figure(place, "Slots of the whole GPU").value(), 132 * 2);
  const Stage tail = launch_stage(trace, walk, beat_named(*find_scene("launch"), trace, walk, "tail"));
  EXPECT_DOUBLE_EQ(fact_figure(tail, "Slots used over all waves").value(), 100.0 * 128 / 264);
  EXPECT_EQ(fact_figure(tail, "Blocks that would fill all waves").value(), 264);
}

TEST(LaunchSample, EachBlockStandsInOneSlotOfItsOwn) {
  const Trace& trace = sample("relu_matmul");
  const LaunchPicture& picture = launch_picture(
      launch_stage(trace, default_walk(trace), beat_named(*find_scene("launch"), trace, default_walk(trace), "place")));
  std::set<std::uint64_t> blocks;
  std::set<std::pair<std::uint32_t, std::uint32_t>> slots;
  for (const PlacedBlock& block : picture.placed) {
    EXPECT_TRUE(blocks.insert(block.block).second) << block.block;
    EXPECT_TRUE(slots.insert({block.sm, block.slot}).second) << block.block;
    EXPECT_LT(block.sm, 132u);
    EXPECT_EQ(block.turn, 0u);
  }
  EXPECT_EQ(blocks.size(), 128u);
  std::set<std::uint32_t> sms;
  for (const SmGroup& group : picture.groups) sms.insert(group.sms.begin(), group.sms.end());
  EXPECT_EQ(sms.size(), 132u);
}

TEST(LaunchQueue, SaysWhatTheReceiptSays) {
  std::size_t behind = 0;
  const auto check = [&](const std::string& what, const Trace& trace, const Walk& walk) {
    if (walk.kernel == no_slice) return;
    const StreamQueue queue = stream_queue_of(trace, walk);
    const std::optional<Receipt> receipt = receipt_of(trace, walk);
    EXPECT_EQ(queue.how == StreamQueue::How::unlaunched || queue.how == StreamQueue::How::untimed, !receipt) << what;
    if (!receipt) return;
    EXPECT_EQ(queue.how == StreamQueue::How::skewed, receipt->skewed()) << what;
    if (receipt->skewed()) return;
    EXPECT_EQ(queue.ahead.count, receipt->ahead.count) << what;
    EXPECT_EQ(queue.ahead.longest, receipt->ahead.longest) << what;
    EXPECT_EQ(queue.ahead.last, receipt->ahead.last) << what;
    EXPECT_EQ(queue.queue(), receipt->queue()) << what;
    EXPECT_GE(queue.free, queue.launch_end) << what;
    EXPECT_LE(queue.ahead.longest_time, queue.queue()) << what;
    if (queue.ahead.count > 0) {
      ++behind;
      EXPECT_EQ(queue.free, trace.slices.end(queue.ahead.last)) << what;
      EXPECT_LE(queue.free, queue.start) << what;
    }
  };
  for (const Crafted& one : crafted()) check(one.name, one.trace, one.walk);
  for (const std::string_view name : sample_names)
    for_each_walk(sample(name), [&](const std::string& what, const Walk& walk) {
      check(fmt::format("{} {}", name, what), sample(name), walk);
    });
  EXPECT_GT(behind, 5u);
}

TEST(LaunchQueue, TellsHowLongItWaitedAndSinceWhenTheStreamWasFree) {
  // The call returns at 15, the piece before ends at 54, this one begins at 55.
  const Stage stage = beat_of(crafted_named("launch: behind one piece"), "queue");
  EXPECT_EQ(fact_figure(stage, "From the return to the GPU's start").value(), 40000);
  EXPECT_EQ(fact_figure(stage, "From the stream being free to the start").value(), 1000);
  EXPECT_EQ(fact_figure(stage, "Work ahead of it in the stream").value(), 1);
  // Five pieces of 19; the call returns at 9, before the first one begins.
  const Stage five = beat_of(crafted_named("launch: behind five pieces"), "queue");
  EXPECT_EQ(fact_figure(five, "The longest of it, during the wait").value(), 19000);
  EXPECT_THAT(five.sentence,
              ::testing::HasSubstr("waited 102.0 µs for 5 kernels, copies or fills: longest before (19.0"));
  const LaunchPicture& many = launch_picture(five);
  EXPECT_EQ(many.way.ahead.size(), 1u);
  EXPECT_EQ(many.way.more_ahead, "+ 4 more");
}

TEST(LaunchQueue, NoTimeIsToldBetweenClocksThatDiffer) {
  for (const std::string_view beat : {"queue", "cross"}) {
    const Stage stage = beat_of(crafted_named("launch: clocks that differ"), beat);
    for (const Fact& one : stage.facts) EXPECT_NE(one.figure.origin(), Origin::derived) << one.label;
    EXPECT_TRUE(launch_picture(stage).way.time.measures.empty());
    EXPECT_FALSE(stage.missing.empty());
  }
}

TEST(LaunchQueue, TheRecordersOwnTimesAreToldWhereThereAreSome) {
  const Stage stage = beat_of(crafted_named("launch: a recorder that knows the driver's queue"), "queue");
  EXPECT_EQ(fact_figure(stage, "In the driver's queue").value(), 5000);
  EXPECT_EQ(fact_figure(stage, "From submission to the GPU's start").value(), 4000);
}

TEST(LaunchCross, ClaimsNoTimeForPcie) {
  const Stage stage = beat_of(crafted_named("launch: room for all"), "cross");
  EXPECT_EQ(fact_figure(stage, "Crossing PCIe").origin(), Origin::explained);
}

TEST(LaunchWaves, AreCountedOverTheWholeGridThoughFewAreDrawn) {
  // 100 threads are 4 warps, 64 warps are 16 blocks; 40 registers: 1,280 a warp, 12 warps a sub-partition, 12 blocks.
  const Crafted& one = crafted_named("launch: many waves and a tail");
  const Stage waves = beat_of(one, "waves");
  EXPECT_EQ(fact_figure(waves, "Waves").value(), std::ceil(10000.0 / 1584));
  EXPECT_EQ(fact_figure(waves, "Blocks in the last wave").value(), 10000 - 6 * 1584);
  EXPECT_DOUBLE_EQ(fact_figure(waves, "Time per block, assumed").value(), 100000.0 / 7);
  EXPECT_EQ(fact_figure(waves, "Time per block, assumed").origin(), Origin::simulated);
  const LaunchPicture& picture = launch_picture(waves);
  // The first two waves and the last one, with a gap between them.
  EXPECT_EQ(picture.layers.size(), 3u);
  EXPECT_EQ(picture.placed.size(), 2u * 1584 + 496);
  EXPECT_EQ(picture.gap_label, "waves 3 to 6 are not drawn");
  EXPECT_EQ(picture.more_blocks, "");
  EXPECT_EQ(picture.layers.back().label, "wave 7");
  EXPECT_DOUBLE_EQ(picture.last_share, (10000.0 - 6 * 1584) / 1584);
}

TEST(LaunchWaves, FollowOneAnotherInEverySlot) {
  const LaunchPicture& picture = launch_picture(beat_of(crafted_named("launch: many waves and a tail"), "waves"));
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, std::int64_t>> slots;  // turn and end
  for (const PlacedBlock& block : picture.placed) {
    const auto [at, first] = slots.insert({{block.sm, block.slot}, {block.turn, block.end}});
    if (!first) {
      EXPECT_EQ(block.turn, at->second.first + (block.start >= picture.gap_to ? 5 : 1));
      EXPECT_GE(block.start, at->second.second);
      at->second = {block.turn, block.end};
    }
    EXPECT_LT(block.start, block.end);
  }
  EXPECT_EQ(slots.size(), 1584u);
}

TEST(LaunchCost, NeverManyBlocksHoweverLargeTheGrid) {
  for (const double blocks : {1.0, 1e4, 1e6, 2e9, 1e300})
    for (const double threads : {32.0, 1024.0})
      for (const double gpu : {0.0, 1.0, 2.0, 3.0}) {
        const Stage stage =
            beat_of(crafted_named("launch: room for all"), "waves",
                    controls_of({{"launch.grid", blocks}, {"launch.block", threads}, {"launch.gpu", gpu}}));
        EXPECT_LE(launch_picture(stage).placed.size(), 8448u);  // two waves of 132 SMs that hold 32 blocks each
        EXPECT_LE(launch_picture(stage).layers.size(), 13u);
      }
}

TEST(LaunchControls, WhatIsSetChangesTheRestButNotWhatWasMeasured) {
  const Crafted& one = crafted_named("launch: room for all");
  const Controls controls = controls_of({{"launch.grid", 300}, {"launch.block", 256}, {"launch.gpu", 1}});
  const Stage grid = beat_of(one, "grid", controls);
  EXPECT_EQ(fact_figure(grid, "Grid").text(), "66 × 2 blocks");
  EXPECT_EQ(fact_figure(grid, "Grid").origin(), Origin::measured);
  EXPECT_EQ(fact_figure(grid, "Grid, as set").text(), "300 blocks");
  EXPECT_EQ(fact_figure(grid, "Grid, as set").origin(), Origin::derived);
  const Stage waves = beat_of(one, "waves", controls);
  // 8 warps per block, registers for 48 warps: 6 blocks per SM, 2 SMs.
  EXPECT_EQ(fact_figure(waves, "Slots of the whole GPU").value(), 12);
  EXPECT_EQ(fact_figure(waves, "Waves").value(), 25);
  EXPECT_EQ(fact_figure(waves, "The kernel on the GPU").value(), 100000);
  EXPECT_EQ(fact_figure(waves, "Time of the grid, as set").origin(), Origin::simulated);
  // In the recorded launch, each SM had one block of 100 threads for 100 us. Now it has 6 blocks of 256 threads at a
  // time.
  EXPECT_DOUBLE_EQ(fact_figure(waves, "Time of the grid, as set").value(), 25 * 100000.0 * 6 * 256 / 100);
  EXPECT_THAT(launch_picture(waves).what_if, ::testing::HasSubstr("132 blocks of 100 threads"));
}

TEST(LaunchControls, WhatIsSetToWhatItWasIsNoWhatIf) {
  const Crafted& one = crafted_named("launch: room for all");
  const Stage stage =
      beat_of(one, "waves", controls_of({{"launch.grid", 132}, {"launch.block", 100}, {"launch.gpu", 3}}));
  EXPECT_EQ(launch_picture(stage).what_if, "");
  EXPECT_EQ(launch_picture(stage).grid.shape, (std::array<std::int32_t, 3>{66, 2, 1}));
  const Stage plain = beat_of(one, "waves");
  EXPECT_EQ(transcript_of(launch_picture(stage)), transcript_of(launch_picture(plain)));
}

TEST(LaunchControls, NonsenseIsClamped) {
  const Crafted& one = crafted_named("launch: room for all");
  const double inf = std::numeric_limits<double>::infinity();
  for (const double value : {-1e300, -1.0, 0.0, 0.4, 1e9, 1e18, 1e300, inf, -inf, std::nan("")})
    for (const std::string_view name : {"grid", "block", "gpu", "placement", "follow"})
      for (const std::string_view key : {"queue", "cross", "grid", "place", "waves", "tail"})
        for (const Crafted* crafted_one : {&one, &crafted_named("launch: a recorded placement")}) {
          const Stage stage = beat_of(*crafted_one, key, controls_of({{fmt::format("launch.{}", name), value}}));
          const LaunchPicture& picture = launch_picture(stage);
          EXPECT_FALSE(content_of(picture).empty());
          for (const Control& control : stage.controls) {
            if (control.kind == Control::Kind::slider) {
              EXPECT_GE(control.value, 1) << control.name << " = " << value;
            }
            if (control.kind == Control::Kind::choice) {
              EXPECT_LT(control.value, control.words.size());
            }
          }
          if (picture.grid.blocks > 0) {
            EXPECT_LT(picture.followed, picture.grid.blocks);
          }
        }
}

TEST(LaunchControls, AFollowedBlockIsTheOneThatIsMarked) {
  const Stage stage = beat_of(crafted_named("launch: room for all"), "place", controls_of({{"launch.follow", 17}}));
  EXPECT_EQ(launch_picture(stage).followed, 17u);
  for (const PlacedBlock& block : launch_picture(stage).placed)
    if (block.block == 17) {
      EXPECT_EQ(fact_figure(stage, "Block 17").text(), fmt::format("SM {}, slot {}", block.sm, block.slot));
    }
}

TEST(LaunchControls, KeepTheValueThatWasLaunched) {
  const Stage stage = beat_of(crafted_named("launch: room for all"), "grid");
  for (const Control& control : stage.controls)
    if (control.kind == Control::Kind::slider) {
      EXPECT_EQ(control.steps[step_at(control.steps, control.value)], control.value) << control.name;
    }
}

TEST(LaunchPlacement, IsTheRecordsWhereThereIsOne) {
  const Crafted& one = crafted_named("launch: a recorded placement");
  const Stage stage = beat_of(one, "place");
  const LaunchPicture& picture = launch_picture(stage);
  EXPECT_EQ(picture.placement_origin, Origin::measured);
  ASSERT_EQ(picture.placed.size(), 132u);
  for (const PlacedBlock& block : picture.placed) {
    EXPECT_EQ(block.sm, block.block % 66);
    EXPECT_EQ(block.slot, 0u);  // the first had ended when the second began
    EXPECT_EQ(block.turn, block.block / 66);
  }
  EXPECT_EQ(fact_figure(stage, "SMs with a block at first").value(), 66);
  EXPECT_EQ(fact_figure(stage, "SMs with a block at first").origin(), Origin::measured);
  // All blocks would fit at once, but half of them started in a slot that was used before.
  EXPECT_EQ(picture.grid.state, "66 placed, 66 later in freed slots");
  const LaunchPicture& waves = launch_picture(beat_of(one, "waves"));
  ASSERT_EQ(waves.layers.size(), 2u);
  EXPECT_EQ(waves.layers[1].label, "in slots used 1×");
  EXPECT_EQ(waves.layers[1].use, "66 blocks");
  const Stage model = beat_of(one, "place", controls_of({{"launch.placement", 1}}));
  EXPECT_EQ(launch_picture(model).placement_origin, Origin::simulated);
  EXPECT_EQ(fact_figure(model, "SMs with a block at first").value(), 132);
  // Set to another grid, the record says nothing any more.
  const Stage other = beat_of(one, "place", controls_of({{"launch.grid", 131}}));
  EXPECT_EQ(launch_picture(other).placement_origin, Origin::simulated);
}

TEST(LaunchPlacement, AgreementIsCountedBlockByBlock) {
  // The model's own placement as the record: it must agree with itself.
  Crafted one = fresh("launch: a recorded placement");
  const Crafted& plain = crafted_named("launch: room for all");
  for (const PlacedBlock& block : launch_picture(beat_of(plain, "place")).placed)
    one.trace.records.kernels[0].placement[block.block].sm = block.sm;
  EXPECT_EQ(fact_figure(beat_of(one, "place"), "On the same SM as in the model").value(), 100);
  auto& rows = one.trace.records.kernels[0].placement;
  std::swap(rows[130].sm, rows[131].sm);
  EXPECT_DOUBLE_EQ(fact_figure(beat_of(one, "place"), "On the same SM as in the model").value(), 100.0 * 130 / 132);
}

TEST(LaunchPlacement, OfAnUnknownGpuNamesOnlyTheSmsOfTheRecord) {
  const LaunchPicture& picture =
      launch_picture(beat_of(crafted_named("launch: a placement on a GPU that is not described"), "place"));
  ASSERT_EQ(picture.groups.size(), 1u);
  EXPECT_EQ(picture.groups[0].sms.size(), 66u);
  EXPECT_EQ(picture.groups[0].label, "");
}

TEST(LaunchPlacement, NumbersOfSmsThatNoGpuHasDoNoHarm) {
  Crafted one = fresh("launch: a recorded placement");
  one.trace.records.kernels[0].placement[5].sm = std::numeric_limits<std::uint32_t>::max();
  one.trace.records.kernels[0].placement[6].start = std::numeric_limits<std::int64_t>::min();
  one.trace.records.kernels[0].placement[7].end = std::numeric_limits<std::int64_t>::max();
  for (const std::string_view key : {"grid", "place", "waves", "tail"})
    for (const double phase : {0.0, 0.5, 1.0})
      EXPECT_FALSE(transcript_of(launch_picture(beat_of(one, key, {}, phase))).empty());
}

TEST(LaunchShape, CountsOnlyWhatIsRecordedWhole) {
  EXPECT_EQ(analysis::blocks_of({8, 16, 1}), 128u);
  EXPECT_EQ(analysis::blocks_of({2147483647, 65535, 1}), 2147483647ull * 65535);
  EXPECT_FALSE(analysis::blocks_of({8, 0, 1}));
  EXPECT_FALSE(analysis::blocks_of({-8, 1, 1}));
  EXPECT_FALSE(analysis::blocks_of({2147483647, 2147483647, 2147483647}));
}

TEST(LaunchMotion, NothingJumpsFromBeatToBeat) {
  for (const Crafted& one : crafted()) {
    const auto beats = static_cast<std::int64_t>(find_scene("launch")->beats(one.trace, one.walk).size());
    for (std::int64_t beat = 1; beat < beats; ++beat) {
      const Stage ends = launch_stage(one.trace, one.walk, beat, 1),
                  begins = launch_stage(one.trace, one.walk, beat + 1, 0);
      using Drawn = std::shared_ptr<const LaunchPicture>;  // the tile is another picture
      if (!std::holds_alternative<Drawn>(ends.picture) || !std::holds_alternative<Drawn>(begins.picture)) continue;
      const LaunchPicture before = launch_picture(ends), after = launch_picture(begins);
      EXPECT_EQ(before.way.shown, after.way.shown) << one.name << " b" << beat;
      EXPECT_EQ(before.floor_shown, after.floor_shown) << one.name << " b" << beat;
      EXPECT_EQ(before.waves_shown, after.waves_shown) << one.name << " b" << beat;
      if (before.way.shown > 0 && before.way.stations_shown) {
        EXPECT_EQ(before.way.travelled, after.way.travelled) << one.name << " b" << beat;
        EXPECT_EQ(before.way.time.from, after.way.time.from) << one.name << " b" << beat;
      }
      if (before.floor_shown > 0) {
        EXPECT_EQ(before.landed, after.landed) << one.name << " b" << beat;
        EXPECT_EQ(before.followed_way, after.followed_way) << one.name << " b" << beat;
        EXPECT_EQ(before.followed, after.followed) << one.name << " b" << beat;
        EXPECT_EQ(before.grid.shown, after.grid.shown) << one.name << " b" << beat;
      }
      if (before.waves_shown > 0) {
        // Without cycles, the last beat keeps the picture of the one before.
        const bool kept = beat + 1 == beats;
        EXPECT_EQ(before.swept, after.swept);
        EXPECT_EQ(after.compare_shown, kept ? before.compare_shown : 0);
        EXPECT_EQ(after.tail_shown, kept ? before.tail_shown : 0);
      }
    }
  }
}

TEST(LaunchMotion, BlocksLandInTheOrderOfTheirStart) {
  const Crafted& one = crafted_named("launch: many waves and a tail");
  std::size_t last = 0;
  for (int step = 0; step <= 20; ++step) {
    const LaunchPicture picture = launch_picture(beat_of(one, "place", {}, step / 20.0));
    EXPECT_GE(picture.landed, last);
    last = picture.landed;
    for (std::size_t i = 1; i < picture.placed.size(); ++i)
      ASSERT_LE(picture.placed[i - 1].start, picture.placed[i].start);
  }
  EXPECT_EQ(last, 1584u);
}

TEST(LaunchWaves, TheGapKeepsNumbersAndTimes) {
  for (const std::string_view name : {"launch: many waves and a tail", "launch: four waves, one of them not drawn"}) {
    const Stage stage = beat_of(crafted_named(name), "waves");
    const LaunchPicture& picture = launch_picture(stage);
    const auto blocks = static_cast<std::uint64_t>(picture.grid.blocks);
    EXPECT_LT(picture.gap_from, picture.gap_to);
    std::set<std::uint64_t> numbers;
    for (const PlacedBlock& block : picture.placed) {
      EXPECT_TRUE(numbers.insert(block.block).second);
      EXPECT_EQ(block.turn, block.block / 1584) << block.block;
      EXPECT_TRUE(block.end <= picture.gap_from || block.start >= picture.gap_to) << block.block;
    }
    EXPECT_EQ(*numbers.rbegin(), blocks - 1);
    // The tail begins when all earlier waves are over, and ends when the kernel does.
    const double each = fact_figure(stage, "Time per block, assumed").value();
    const auto tail = static_cast<double>(picture.gap_to) * picture.tick_ns;
    const double waves = fact_figure(stage, "Waves").value();
    EXPECT_NEAR(tail / each, waves - 1, 0.001 * waves) << name;
    EXPECT_NEAR(static_cast<double>(picture.last_tick) * picture.tick_ns,
                fact_figure(stage, "The kernel on the GPU").value(), 0.001 * each * waves)
        << name;
  }
}

// FP32 operations per ns that a GPU would reach, by the compared times.
double rate_on(const LaunchPicture& picture, std::size_t gpu, double operations) {
  const std::string& text = picture.gpus[gpu].time;
  std::string digits;
  for (const char c : text)
    if ((c >= '0' && c <= '9') || c == '.') digits += c;
  const double unit = text.ends_with(" ms") ? 1e6 : text.ends_with("µs") ? 1e3 : text.ends_with(" ns") ? 1 : 1e9;
  return operations / (std::stod(digits) * unit);
}

TEST(LaunchCompare, TwoBlocksOnAnSmShareItsSpeed) {
  // The matmul of the sample has 128 blocks for 132 SMs, each alone on its SM. Two SMs have 64 of them each, two at a
  // time: each pair takes twice as long as one block.
  const Trace& trace = sample("relu_matmul");
  const Walk walk = default_walk(trace);
  const LaunchPicture& picture =
      launch_picture(launch_stage(trace, walk, beat_named(*find_scene("launch"), trace, walk, "tail")));
  ASSERT_EQ(picture.gpus.size(), 3u);  // the trace's own is the described one, so it is there once
  const auto recorded = static_cast<double>(trace.slices.duration[walk.kernel]);
  EXPECT_EQ(picture.gpus[0].time, time_text(recorded));
  EXPECT_EQ(picture.gpus[1].time, time_text(64 * recorded));
  EXPECT_EQ(picture.gpus[2].time, time_text(16 * recorded));
  EXPECT_DOUBLE_EQ(picture.gpus[1].share, 1);
  EXPECT_DOUBLE_EQ(picture.gpus[0].share, 1.0 / 64);
  EXPECT_TRUE(picture.gpus[0].chosen);
  EXPECT_EQ(picture.gpus[1].efficiency, "100.0 %");
}

TEST(LaunchCompare, NoGpuIsFasterThanItsPeak) {
  const double peak_per_sm = 128 * 2 * 1.98;  // FP32 operations per ns on sm_90
  const double sms[] = {132, 2, 8};
  const double product = 2.0 * 1024 * 1024 * 1024;
  const auto check = [&](const Trace& trace, const Walk& walk) {
    const auto beats = static_cast<std::int64_t>(find_scene("launch")->beats(trace, walk).size());
    const LaunchPicture& picture = launch_picture(launch_stage(trace, walk, beats));
    ASSERT_EQ(picture.gpus.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_LE(rate_on(picture, i, product), 1.001 * sms[i] * peak_per_sm) << picture.gpus[i].name;
  };
  check(sample("relu_matmul"), default_walk(sample("relu_matmul")));
  const Crafted& near = crafted_named("launch: a product at the FP32 peak");
  check(near.trace, near.walk);
  const LaunchPicture& picture = launch_picture(beat_of(near, "tail"));
  EXPECT_THAT(picture.gpus[0].detail, ::testing::Not(::testing::HasSubstr("FP32 peak")));
  EXPECT_THAT(picture.gpus[1].detail, ::testing::HasSubstr("at its FP32 peak"));
  EXPECT_NEAR(rate_on(picture, 1, product), 2 * peak_per_sm, 0.001 * 2 * peak_per_sm);
  const Figure reached = fact_figure(beat_of(near, "tail"), "FP32 peak reached, as recorded");
  EXPECT_NEAR(reached.value(), 100 * product / 33000 / (132 * peak_per_sm), 1e-6);
  const LaunchPicture& moved = launch_picture(beat_of(crafted_named("launch: an op at the memory bandwidth"), "tail"));
  EXPECT_THAT(moved.gpus[1].detail, ::testing::HasSubstr("at its memory bandwidth"));
}

TEST(LaunchCompare, TheLastWaveTakesAsLongAsItsFullestSm) {
  // 301 blocks in 12 slots of 2 SMs: 25 waves with 6 blocks on an SM, and one block alone. In the recorded launch, one
  // block of 100 threads on each SM took 100 us; here a block has 256 threads.
  const Crafted& one = crafted_named("launch: another grid on another GPU");
  const Stage stage = beat_of(one, "waves", one.controls);
  EXPECT_DOUBLE_EQ(fact_figure(stage, "Time of the grid, as set").value(), (25 * 6 + 1) * 100000.0 * 256 / 100);
  const LaunchPicture& picture = launch_picture(stage);
  EXPECT_NEAR(static_cast<double>(picture.last_tick) * picture.tick_ns, (25 * 6 + 1) * 256000.0, 1000);
  EXPECT_THAT(picture.note, ::testing::HasSubstr("in the last wave, one block:"));
}

TEST(LaunchCompare, WithoutTimesCountsWaves) {
  const LaunchPicture& picture = launch_picture(beat_of(crafted_named("launch: a kernel without a duration"), "tail"));
  ASSERT_EQ(picture.gpus.size(), 3u);
  EXPECT_EQ(picture.head_time, "WAVES");
  EXPECT_EQ(picture.gpus[0].time, "1");
  EXPECT_EQ(picture.gpus[1].time, "6");  // 132 blocks, 24 slots
  EXPECT_DOUBLE_EQ(picture.gpus[1].share, 1);
}

TEST(LaunchCompare, SaysWhatItAssumes) {
  for (const std::string_view name : {"launch: room for all", "launch: a product at the FP32 peak"}) {
    const std::string& note = launch_picture(beat_of(crafted_named(name), "tail")).note;
    EXPECT_TRUE(note.starts_with("Assumed: the blocks on one SM share its speed")) << note;
  }
  const Controls other = controls_of({{"launch.gpu", 1}});
  const std::string& note = launch_picture(beat_of(crafted_named("launch: room for all"), "waves", other)).note;
  EXPECT_TRUE(note.starts_with("Assumed: the blocks on one SM share its speed")) << note;
}

TEST(LaunchEngine, IsThatOfACopyOnly) {
  EXPECT_TRUE(launch_picture(beat_of(crafted_named("launch: a copy"), "engine")).way.engine);
  EXPECT_FALSE(launch_picture(beat_of(crafted_named("launch: a fill"), "engine")).way.engine);
}

TEST(LaunchFailure, SaysWhyInWords) {
  const Stage stage = beat_of(crafted_named("launch: a kernel that cannot run"), "place");
  EXPECT_EQ(stage.title, "This GPU could not run the launch");
  EXPECT_THAT(stage.sentence, ::testing::HasSubstr("registers"));
  EXPECT_TRUE(launch_picture(stage).placed.empty());
}

}  // namespace
}  // namespace warpwalk::story::testing
