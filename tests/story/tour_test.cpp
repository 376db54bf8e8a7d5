// The tour: figures and right answers of its steps against the record and arithmetic of their own.
#include <algorithm>
#include <bit>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/base/quantity_text.h"
#include "core/gpu/device/compute_capability.h"
#include "core/run/replay/history.h"
#include "core/run/replay/number_trail.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/pictures/plane.h"
#include "core/story/scene_list.h"
#include "core/story/scenes/scenes.h"
#include "core/trace/read/read_trace.h"
#include "tests/story/stages.h"
#include "tests/story/whole_walk.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

using ::testing::HasSubstr;

Stage step(std::string_view key, double phase = 1, const Predictions& said = {}) {
  const Crafted& walk = opening_walk();
  const Scene& scene = *find_scene("tour");
  SceneInput input{walk.trace,
                   walk.walk,
                   english(),
                   hardware(),
                   {Moment::Kind::beat, beat_named(scene, walk.trace, walk.walk, key), phase}};
  input.history = walk.view();
  input.predictions = said;
  return stage_of(scene, input);
}

const PlaneItem& item(const Stage& stage, std::string_view id) {
  const PlaneItem* const found = shared_picture<PlanePicture>(stage).find(id);
  if (found != nullptr) return *found;
  ADD_FAILURE() << "no " << id;
  static const PlaneItem none;
  return none;
}

bool has(const Stage& stage, std::string_view id) { return shared_picture<PlanePicture>(stage).find(id) != nullptr; }

// The option that is accepted as the answer.
std::string right_answer(std::string_view key) {
  Predictions said;
  said.asking = true;
  const Stage asked = step(key, 1, said);
  if (!asked.question) {
    ADD_FAILURE() << key << " asks nothing";
    return {};
  }
  said.skip(asked.question->key, asked.question->about);
  const Stage told = step(key, 1, said);
  return told.question->options.at(told.question->right.value());
}

Stage asking(std::string_view key) {
  Predictions said;
  said.asking = true;
  return step(key, 1, said);
}

// --- Chapters 1 and 2: why a GPU, and the CPU's part.

// Rows of assets/devices/h200_cores.csv for the raced work: ns on one core and on the GPU, by size.
std::map<long, std::pair<double, double>> core_times() {
  std::ifstream file(WARPWALK_SOURCE_DIR "/assets/devices/h200_cores.csv");
  std::map<long, std::pair<double, double>> times;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::vector<std::string> row;
    for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
    if (row.at(0) == "busy") times[std::stol(row.at(1))] = {std::stod(row.at(3)), std::stod(row.at(5))};
  }
  return times;
}

TEST(TourWhy, TheBarsAreAsLongAsTheMeasuredTimes) {
  const auto times = core_times();
  const Stage stage = step("why");
  for (const auto& [race, size] : {std::pair{"few", 16L}, std::pair{"many", 262144L}}) {
    const auto [core, gpu] = times.at(size);
    EXPECT_NEAR(
        item(stage, fmt::format("{} core", race)).box.width / item(stage, fmt::format("{} gpu", race)).box.width,
        core / gpu, 0.01 * core / gpu + (race == std::string("many") ? 10 : 0));
    const double longer = std::max(core, gpu) / std::min(core, gpu);
    const std::string slower = core > gpu ? "core" : "gpu";
    EXPECT_THAT(item(stage, fmt::format("{} {} time", race, slower)).text,
                HasSubstr(fmt::format("{:.0f} times", longer)));
    EXPECT_THAT(item(stage, fmt::format("{} size", race)).text, HasSubstr(base::with_thousands(size)));
  }
  EXPECT_EQ(right_answer("why"), "the core for 4 × 4, the GPU for 520 × 328");
  EXPECT_FALSE(has(asking("why"), "many gpu"));
}

TEST(TourCpu, TheFirstOpIsDrawnToScale) {
  const Crafted& walk = opening_walk();
  const auto& rows = walk.trace.slices;
  const Stage stage = step("dispatch");
  const PlaneBox outer = item(stage, "op").box, inner = item(stage, "op 1").box;
  const SliceId a = walk.walk.ops.at(0), b = walk.walk.ops.at(1);
  EXPECT_EQ(walk.trace.name(a), "aten::matmul");
  EXPECT_EQ(walk.trace.name(b), "aten::mm");
  EXPECT_NEAR(inner.width / outer.width, static_cast<double>(rows.duration[b]) / static_cast<double>(rows.duration[a]),
              1e-3);
  EXPECT_NEAR((inner.x - outer.x) / outer.width,
              static_cast<double>(rows.start[b] - rows.start[a]) / static_cast<double>(rows.duration[a]), 1e-3);
}

TEST(TourCpu, TheKeysAreThoseOfTheCall) {
  const Stage stage = step("dispatch");
  std::string words;
  for (const PlaneItem& one : shared_picture<PlanePicture>(stage).items) words += one.text + "\n";
  EXPECT_THAT(words, HasSubstr("AutogradCUDA"));
  EXPECT_THAT(words, HasSubstr("calls aten::mm"));
  EXPECT_THAT(words, HasSubstr("then the program's own backend function"));  // registered in C++, not PyTorch's
  EXPECT_THAT(stage.sentence, HasSubstr("the function that the recorded program has registered for aten::mm"));
  EXPECT_EQ(right_answer("dispatch"), "the device of a and b");
  const Stage asked = asking("dispatch");
  for (const PlaneItem& one : shared_picture<PlanePicture>(asked).items)
    EXPECT_THAT(one.text, ::testing::Not(HasSubstr("backend function"))) << one.id;
}

TEST(TourCpu, TheAddressIsThatOfTheRecordedBlock) {
  const Crafted& walk = opening_walk();
  std::int64_t base = 0;
  for (const trace::MemoryEvent& event : walk.trace.memory)
    if (event.bytes == 682496 && base == 0) base = event.address;
  ASSERT_NE(base, 0);
  const Stage stage = step("memory");
  EXPECT_EQ(item(stage, "address rule").text, fmt::format("0x{:x} + (1 × 328 + 2) × 4", base));
  EXPECT_EQ(item(stage, "address").text, fmt::format("= 0x{:x}", base + (1 * 328 + 2) * 4));
  EXPECT_THAT(item(stage, "block of c").text, HasSubstr("682,496 bytes"));
  // The segment is the one that cudaMalloc gave.
  std::int64_t segment = 0, bytes = 0;
  for (const trace::DriverMemory& one : walk.trace.driver_memory)
    if (one.bytes == 2097152) segment = static_cast<std::int64_t>(one.address), bytes = one.bytes;
  const PlaneBox cache = item(stage, "cache").box, block = item(stage, "block of c").box;
  EXPECT_NEAR((block.x - cache.x) / cache.width, static_cast<double>(base - segment) / static_cast<double>(bytes),
              1e-6);
  EXPECT_NEAR(block.width / cache.width, 682496.0 / static_cast<double>(bytes), 1e-6);
  EXPECT_EQ(right_answer("memory"), fmt::format("start of c + {}", base::with_thousands(2 * 328 * 4)));
  EXPECT_FALSE(has(asking("memory"), "next address"));
}

TEST(TourCpu, TheThreeFormsAreOfOneLine) {
  const Stage stage = step("compiled");
  EXPECT_EQ(item(stage, "source form").text, "for (int i = 0; i < tile; ++i) sum += a_tile[y][i] * b_tile[i][x]");
  EXPECT_THAT(item(stage, "ptx form").text, HasSubstr("fma.rn.f32"));
  EXPECT_THAT(item(stage, "sass form").text, HasSubstr("FFMA R"));
  const Crafted& walk = opening_walk();
  EXPECT_NE(walk.trace.records.modules.at(0).ptx.find("fma.rn.f32"), std::string::npos);
  EXPECT_THAT(item(stage, "loaded").text, HasSubstr("cudaLibraryLoadFromFile"));
  EXPECT_EQ(right_answer("compiled"), "the machine code");
  EXPECT_FALSE(has(asking("compiled"), "kernel"));
}

// Which GPUs a PTX is for, against the rule for each of them.
TEST(TourCpu, ThePtxIsSaidToBeForTheGpusThatItRunsOn) {
  trace::Trace trace = trace::read_trace(WARPWALK_SOURCE_DIR "/assets/walks/h200_relu_matmul_inside.json.gz").trace;
  const Walk walk = default_walk(trace);
  const std::string recorded = trace.records.modules.at(0).ptx;
  const std::size_t at = recorded.find(".target sm_90");
  ASSERT_NE(at, std::string::npos);
  const Scene& scene = *find_scene("tour");
  for (const std::string target : {"sm_70", "sm_75", "sm_80", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_100f"}) {
    trace.records.modules.at(0).ptx =
        std::string(recorded).replace(at, std::string_view(".target sm_90").size(), ".target " + target);
    const SceneInput input{
        trace, walk, english(), hardware(), {Moment::Kind::beat, beat_named(scene, trace, walk, "compiled"), 1}};
    const std::string said = item(stage_of(scene, input), "ptx form name").text;
    std::vector<int> runs_on;
    for (const int capability : {70, 75, 80, 86, 89, 90, 100, 103, 120})
      if (gpu::ptx_runs_on(*gpu::parse_target(target), capability)) runs_on.push_back(capability);
    ASSERT_FALSE(runs_on.empty()) << target;
    const bool alone = runs_on.size() == 1, last = runs_on.back() == 120;
    EXPECT_THAT(said, HasSubstr(target));
    EXPECT_EQ(said.ends_with("alone"), alone) << said;
    EXPECT_EQ(said.find("from") != std::string::npos, last) << said;
  }
}

TEST(TourCpu, TheOrderHasWhatTheLaunchRecorded) {
  const Stage stage = step("order");
  EXPECT_EQ(item(stage, "order grid").text, "grid: 21 × 33, 693 thread blocks");
  EXPECT_EQ(item(stage, "order block").text, "block: 16 × 16, 256 threads");
  EXPECT_THAT(item(stage, "order arguments").text, HasSubstr("36 bytes"));  // three addresses and three int
  EXPECT_THAT(item(stage, "order shared").text, HasSubstr("0 B"));
  EXPECT_EQ(item(stage, "other case").link.scene, "lab/streams");
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

TEST(TourCpu, TheUsualLaunchIsTheMedianOfTheOthers) {
  const Crafted& walk = opening_walk();
  const auto& rows = walk.trace.slices;
  std::vector<double> calls, gaps;
  int begun = rows.start[walk.walk.kernel] < rows.end(walk.walk.launch) ? 1 : 0;
  for (SliceId work = 0; work < rows.size(); ++work) {
    if (rows.kind[work] != trace::SliceKind::kernel || walk.trace.name(work) != "matmul" || work == walk.walk.kernel)
      continue;
    const std::int64_t correlation = walk.trace.kernels[rows.detail[work]].correlation;
    for (SliceId call = 0; call < rows.size(); ++call)
      if (trace::is_call(rows.kind[call]) && walk.trace.calls[rows.detail[call]].correlation == correlation &&
          walk.trace.name(call) == "cudaLaunchKernel") {
        calls.push_back(static_cast<double>(rows.duration[call]));
        gaps.push_back(static_cast<double>(rows.start[work] - rows.end(call)));
        if (gaps.back() < 0) ++begun;
      }
  }
  ASSERT_EQ(calls.size(), 12u);
  const Stage stage = step("returns");
  EXPECT_EQ(item(stage, "usual time").text, base::time_text(median(calls)));
  EXPECT_EQ(item(stage, "own time").text, base::time_text(static_cast<double>(rows.duration[walk.walk.launch])));
  EXPECT_THAT(item(stage, "usual gap").text, HasSubstr(base::time_text(median(gaps))));
  EXPECT_NEAR(item(stage, "call").box.width / item(stage, "usual call").box.width,
              static_cast<double>(rows.duration[walk.walk.launch]) / median(calls), 1e-3);
  EXPECT_THAT(stage.note, HasSubstr(fmt::format("{} of {}", begun, calls.size() + 1)));
  EXPECT_THAT(right_answer("returns"), HasSubstr("does not wait"));
  EXPECT_FALSE(has(asking("returns"), "kernel"));
}

// Neighbouring steps show something of the same: the camera has a thing to follow.
TEST(TourCpu, NeighbouringStepsShareWhatIsFollowed) {
  const std::vector<std::string_view> keys = {"line",   "why",      "call",  "dispatch",
                                              "memory", "compiled", "order", "returns"};
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    const Stage before = step(keys[i]), after = step(keys[i + 1]);
    const auto shared = std::ranges::count_if(shared_picture<PlanePicture>(before).items, [&](const PlaneItem& one) {
      return one.id != "cpu" && one.id != "gpu" && one.id != "memory" && !one.id.ends_with("name") &&
             has(after, one.id);
    });
    EXPECT_GT(shared, 0) << keys[i] << " to " << keys[i + 1];
  }
}

// --- Chapters 3 and 5: the GPU takes the order, and what comes back.

// The walk with its kernel simulated on its own GPU, and the way of the followed number.
struct OnItsGpu {
  std::shared_ptr<const run::History> history;
  std::shared_ptr<run::TimeTravel> travel;
  std::shared_ptr<const run::NumberTrail> trail;

  OnItsGpu() {
    const Crafted& walk = opening_walk();
    run::HistoryOptions options;
    options.device = *simulated_device(walk.trace, walk.walk, hardware());
    auto built = run::build_history(walk.trace, walk.walk.kernel, options);
    history = std::get<0>(built);
    travel = *run::TimeTravel::make(walk.trace, walk.walk.kernel, history, options);
    trail = *run::find_number_trail(walk.trace, *travel, *history, *number_request(walk.trace, walk.walk, {}), options);
  }
};

const OnItsGpu& on_its_gpu() {
  static const OnItsGpu made;
  return made;
}

Stage simulated_step(std::string_view key, double phase = 1) {
  const Crafted& walk = opening_walk();
  const Scene& scene = *find_scene("tour");
  SceneInput input{walk.trace,
                   walk.walk,
                   english(),
                   hardware(),
                   {Moment::Kind::beat, beat_named(scene, walk.trace, walk.walk, key), phase}};
  input.history.state = HistoryView::State::ready;
  input.history.history = on_its_gpu().history.get();
  input.history.travel = on_its_gpu().travel.get();
  input.history.trail = on_its_gpu().trail.get();
  input.history.take_timing();
  return stage_of(scene, input);
}

TEST(TourGpu, TheGridIsTheResultInTiles) {
  const Stage stage = step("blocks");
  EXPECT_THAT(item(stage, "tile count").text, HasSubstr("21 × 33 = 693"));
  EXPECT_THAT(item(stage, "last tiles").text, HasSubstr("20 × 16 + 8"));  // 328 columns
  EXPECT_THAT(item(stage, "last tiles").text, HasSubstr("32 × 16 + 8"));  // 520 rows
  // Block 20 is the last one of the first row: 8 of 16 columns wide. Block 21 is below block 0.
  const PlaneBox first = item(stage, "block 0").box, narrow = item(stage, "block 20").box;
  EXPECT_NEAR(narrow.width / first.width, 0.5, 0.1);
  EXPECT_EQ(item(stage, "block 21").box.x, first.x);
  EXPECT_GT(item(stage, "block 21").box.y, first.y);
  EXPECT_EQ(item(stage, "block 0").tone, Tone::followed);
  EXPECT_FALSE(has(stage, "block 693"));
  // c[20, 40]: 20 / 16 = 1, 40 / 16 = 2.
  EXPECT_EQ(right_answer("blocks"), fmt::format("block {}", 1 * 21 + 2));
  EXPECT_THAT(item(stage, "asked block").text, HasSubstr("block 23"));
  const Stage asked = asking("blocks");
  EXPECT_FALSE(has(asked, "asked block"));
  EXPECT_THAT(asked.title, HasSubstr("c[20, 40]"));
}

TEST(TourGpu, TheSmallResultComesFirstAndIsSeenWhole) {
  const Stage toy = step("blocks", 0.7);
  const PlanePicture& small = shared_picture<PlanePicture>(toy);
  for (const PlaneItem& one : small.items)
    if (one.id.starts_with("toy")) {
      EXPECT_GE(one.box.x, small.camera.x) << one.id;
      EXPECT_LE(one.box.right(), small.camera.right()) << one.id;
      EXPECT_LE(one.box.bottom(), small.camera.bottom()) << one.id;
    }
}

TEST(TourGpu, EachSmHasFiveBlocksAndTheOthersStartOneByOne) {
  // 132 SMs x 5 = 660 of 693.
  const auto count = [](const Stage& stage, Tone tone) {
    return std::ranges::count_if(shared_picture<PlanePicture>(stage).items, [&](const PlaneItem& one) {
      return one.id.starts_with("block ") && one.tone == tone;
    });
  };
  const Stage asked = asking("placed");
  EXPECT_EQ(count(asked, Tone::work) + count(asked, Tone::followed), 660);
  EXPECT_EQ(count(asked, Tone::refused), 33);
  EXPECT_EQ(item(asked, "waiting").text, "now 33 wait");
  // At the end half of those that waited have started; each has the place of one that has ended.
  const Stage stage = simulated_step("placed");
  EXPECT_EQ(count(stage, Tone::work) + count(stage, Tone::followed), 660);
  const auto waiting = count(stage, Tone::refused), ended = count(stage, Tone::memory);
  EXPECT_EQ(waiting + ended, 33);
  EXPECT_GT(ended, 0);
  EXPECT_EQ(item(stage, "waiting").text, fmt::format("now {} wait", waiting));
  EXPECT_EQ(right_answer("placed"), "for a block to end and make room");
}

TEST(TourGpu, RegistersRunOutFirst) {
  // 44 registers x 32 lanes = 1,408, in units of 256: 1,536 for a warp, 8 warps in a block, 65,536 on an SM.
  const Stage stage = step("limit");
  EXPECT_THAT(stage.title, HasSubstr("registers"));
  EXPECT_THAT(item(stage, "registers taken").text, HasSubstr(base::with_thousands(5 * 8 * 1536)));
  EXPECT_THAT(item(stage, "registers taken").text, HasSubstr("65,536"));
  EXPECT_GT(6 * 8 * 1536, 65536);
  EXPECT_THAT(item(stage, "warps taken").text, HasSubstr("40 of 64"));
  EXPECT_THAT(item(stage, "blocks taken").text, HasSubstr("5 of 32"));
  const PlaneBox bar = item(stage, "registers bar").box, more = item(stage, "registers of one more").box;
  EXPECT_LT(more.x, bar.right());
  EXPECT_GT(more.right(), bar.right());
  EXPECT_NEAR(more.width / bar.width, 8.0 * 1536 / 65536, 1e-6);
  for (const std::string_view other : {"warps", "shared", "blocks"})
    EXPECT_FALSE(has(stage, fmt::format("{} of one more", other)));
  EXPECT_EQ(right_answer("limit"), "Registers (of each thread)");
  const Stage asked = asking("limit");
  EXPECT_THAT(item(asked, "registers taken").text, HasSubstr(base::with_thousands(8 * 1536)));
  EXPECT_FALSE(has(asked, "registers of one more"));
}

TEST(TourGpu, TheWarpsAreDealtInTurn) {
  const Stage stage = simulated_step("warps");
  for (int warp = 0; warp < 8; ++warp) {
    const PlaneBox at = item(stage, fmt::format("warp {}", warp)).box;
    const PlaneBox part = item(stage, fmt::format("sub-partition {}", warp % 4)).box;
    EXPECT_GE(at.x, part.x) << warp;
    EXPECT_LE(at.right(), part.right()) << warp;
    EXPECT_LE(at.bottom(), part.bottom()) << warp;
    EXPECT_EQ(item(stage, fmt::format("warp {}", warp)).tone, warp == 0 ? Tone::followed : Tone::work);
  }
  EXPECT_FALSE(has(stage, "warp 8"));
  EXPECT_THAT(stage.sentence, HasSubstr("in warp 0"));
}

TEST(TourBack, ReluKeepsWhatIsPositive) {
  // Four floats for each thread: c[1, 2] is element 330, of thread 82, which is lane 18 of warp 2.
  const Stage stage = step("relu");
  EXPECT_EQ(item(stage, "relu lane 18").tone, Tone::followed);
  EXPECT_THAT(item(stage, "relu warp").text, HasSubstr("warp 2"));
  EXPECT_EQ(item(stage, "value").text, "48");
  EXPECT_EQ(item(stage, "element 2 result").text, "48");
  int negative = 0;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(item(stage, fmt::format("element {} name", i)).text, fmt::format("c[1, {}]", i));
    const std::string value = item(stage, i == 2 ? "value" : fmt::format("element {}", i)).text;
    if (value.starts_with('-')) ++negative;
    EXPECT_EQ(item(stage, fmt::format("element {} result", i)).text, value.starts_with('-') ? "0" : value);
  }
  EXPECT_GT(negative, 0);
  // The simulated kernel of relu agrees about the lane and the number.
  const run::NumberTrail& trail = *on_its_gpu().trail;
  ASSERT_TRUE(trail.next);
  EXPECT_EQ(trail.next->lane, 18);
  EXPECT_EQ(trail.next->warp.warp, 2u);
  EXPECT_EQ(trail.next->warp.block, 0u);
  EXPECT_EQ(std::bit_cast<float>(static_cast<std::uint32_t>(trail.next->written)), 48.0f);
}

TEST(TourBack, TheLinesOfTheRunAreToScale) {
  const Crafted& walk = opening_walk();
  const auto& rows = walk.trace.slices;
  const Stage stage = step("wait");
  const PlaneBox launch = item(stage, "own launch").box, wait = item(stage, "own wait").box;
  SliceId call = walk.walk.launch;
  while (walk.trace.name(call) != "cudaDeviceSynchronize") ++call;
  EXPECT_NEAR((wait.x - launch.x) / launch.width,
              static_cast<double>(rows.start[call] - rows.start[walk.walk.launch]) /
                  static_cast<double>(rows.duration[walk.walk.launch]),
              1e-3);
  EXPECT_THAT(stage.title, HasSubstr("and it is"));
  // In the other recorded run, the call waits for the kernel.
  EXPECT_GE(item(stage, "long wait").box.right(), item(stage, "long kernel 1").box.right());
  EXPECT_EQ(item(stage, "long lab").link.scene, "lab/streams");
}

TEST(TourBack, TheReceiptAddsUp) {
  const Crafted& walk = opening_walk();
  const auto& rows = walk.trace.slices;
  const auto op = walk.walk.ops.front();
  const std::int64_t before = rows.start[walk.walk.launch] - rows.start[op];
  const Stage stage = step("receipt");
  EXPECT_EQ(item(stage, "cpu time").text, base::time_text(static_cast<double>(before)));
  EXPECT_EQ(item(stage, "kernel time").text, base::time_text(static_cast<double>(rows.duration[walk.walk.kernel])));
  EXPECT_EQ(item(stage, "kernel usual").text, base::time_text(3520));  // the middle of eight
  EXPECT_THAT(stage.title,
              HasSubstr(base::time_text(static_cast<double>(rows.end(walk.walk.kernel) - rows.start[op]))));
  EXPECT_NEAR(item(stage, "kernel").box.x - item(stage, "queue bar").box.right(), 0, 2.5);
  EXPECT_EQ(right_answer("receipt"), "The CPU, before the launch");
  const Stage asked = asking("receipt");
  for (const std::string_view part : {"cpu", "launch", "queue", "kernel"})
    EXPECT_FALSE(has(asked, fmt::format("{} time", part)));
}

TEST(TourBack, EveryStopAndCardLeadsSomewhere) {
  const Crafted& walk = opening_walk();
  const Stage stage = step("whole");
  int links = 0, settings = 0;
  for (const PlaneItem& one : shared_picture<PlanePicture>(stage).items) {
    if (one.link.empty()) continue;
    ++links;
    const Scene* const scene = find_scene(one.link.scene);
    ASSERT_NE(scene, nullptr) << one.link.scene;
    EXPECT_GE(beat_named(*scene, walk.trace, walk.walk, one.link.beat), 1) << one.link.beat;
    for (const std::string& setting : one.link.settings) {
      EXPECT_TRUE(parse_setting(setting)) << setting;
      ++settings;
    }
  }
  EXPECT_GE(links, 12);
  EXPECT_EQ(settings, 2);
  EXPECT_EQ(item(stage, "value").text, "c[1, 2] = 48");
}

}  // namespace
}  // namespace warpwalk::story::testing
