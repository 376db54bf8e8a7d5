// The tour inside an SM: its figures against the simulated run, the descriptions of GPUs and arithmetic of their own,
// and its questions.
#include <algorithm>
#include <array>
#include <bit>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/run/replay/number_trail.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/facts/simulated/small_run.h"
#include "core/story/pictures/plane.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "tests/story/stages.h"
#include "tests/story/whole_walk.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const run::NumberTrail& inside_trail() {
  static const run::NumberTrail trail = [] {
    const Crafted& walk = opening_walk();
    run::HistoryOptions options;
    options.device = *hardware().find("h100");
    const auto found = run::find_number_trail(walk.trace, *walk.travel, *walk.simulated,
                                              *number_request(walk.trace, walk.walk, {}), options);
    if (!found) throw std::runtime_error(found.error());
    return **found;
  }();
  return trail;
}

Stage inside(std::string_view key, const Predictions& said = {}, double phase = 1, bool simulated = true) {
  const Crafted& walk = opening_walk();
  SceneInput input{walk.trace,
                   walk.walk,
                   english(),
                   hardware(),
                   {Moment::Kind::beat, beat_named(tour(), walk.trace, walk.walk, key), phase}};
  if (simulated) {
    input.history = walk.view();
    input.history.trail = &inside_trail();
  }
  input.predictions = said;
  return stage_of(tour(), input);
}

const PlanePicture& plane(const Stage& stage) { return shared_picture<PlanePicture>(stage); }

std::string text_of(const Stage& stage, std::string_view id) {
  const PlaneItem* const item = plane(stage).find(id);
  return item == nullptr ? "(none)" : item->text;
}

// Things whose id begins so, without a further part of the id.
std::size_t count_of(const Stage& stage, const std::string& pattern, const auto& counts) {
  const std::regex id(pattern);
  return static_cast<std::size_t>(std::ranges::count_if(
      plane(stage).items, [&](const PlaneItem& item) { return std::regex_match(item.id, id) && counts(item); }));
}

Predictions open_questions() {
  Predictions said;
  said.asking = true;
  return said;
}

std::string right_option(std::string_view key) {
  Predictions said = open_questions();
  said.answer_any(fmt::format("tour.{}", key), std::nullopt);
  const Stage stage = inside(key, said);
  return stage.question && stage.question->right ? stage.question->options[*stage.question->right] : "(none)";
}

constexpr std::array asking_steps = {"issue", "latency", "lanes", "sectors", "shared", "edge"};

TEST(TourInside, QuestionsKeepThePictureAndHideTheAnswer) {
  for (const std::string_view key : asking_steps) {
    const Stage asked = inside(key, open_questions()), told = inside(key);
    ASSERT_TRUE(asked.question && asked.question->asked()) << key;
    ASSERT_GT(plane(asked).items.size(), 10u) << key;
    EXPECT_EQ(plane(asked).camera, plane(told).camera) << key;
    EXPECT_NE(plane(asked).items, plane(told).items) << key;
    EXPECT_NE(asked.title, told.title) << key;
    // The right answer gives the whole step; a wrong one keeps the question.
    const std::string right = right_option(key);
    const auto at = std::ranges::find(asked.question->options, right);
    ASSERT_NE(at, asked.question->options.end()) << key;
    for (std::size_t option = 0; option < asked.question->options.size(); ++option) {
      Predictions said = open_questions();
      said.answer(asked.question->key, asked.question->about, option);
      const Stage after = inside(key, said);
      const bool correct = option == static_cast<std::size_t>(at - asked.question->options.begin());
      EXPECT_EQ(after.question->asked(), !correct) << key << " " << option;
      EXPECT_EQ(plane(after), correct ? plane(told) : plane(asked)) << key << " " << option;
      EXPECT_FALSE(after.question->why.empty()) << key << " " << option;
      EXPECT_THAT(after.question->why, Not(HasSubstr("{"))) << key << " " << option;
    }
  }
}

TEST(TourInside, OneSchedulerIssuesAtMostOneInstructionInACycle) {
  for (const std::string_view id : {"h100", "h200", "a100", "t4", "rtx3090", "rtx4090"}) {
    const auto run = small_run(*hardware().find(std::string(id)));
    ASSERT_NE(run, nullptr) << id;
    ASSERT_EQ(run->warps.size(), 4u) << id;
    std::set<WarpCycle> seen;
    for (std::size_t cycle = 0; cycle < run->shown; ++cycle) {
      std::size_t issues = 0, ready = 0;
      for (const SmallRun::Warp& warp : run->warps) {
        seen.insert(warp.states[cycle]);
        issues += warp.states[cycle] == WarpCycle::issues;
        ready += warp.states[cycle] == WarpCycle::ready;
      }
      EXPECT_LE(issues, 1u) << id;
      // A ready warp is left out only if another one issues.
      EXPECT_TRUE(ready == 0 || issues == 1) << id << " " << cycle;
    }
    EXPECT_EQ(seen.size(), 3u) << id;
    if (id == "a100" || id == "t4") continue;  // their pipe takes an instruction every other cycle
    // Of the four instructions, two need the result of the one before them, and it takes four cycles.
    for (const SmallRun::Warp& warp : run->warps)
      for (std::size_t cycle = 2; cycle < run->shown; ++cycle)
        EXPECT_FALSE(warp.states[cycle] == WarpCycle::issues && warp.states[cycle - 1] == WarpCycle::issues &&
                     warp.states[cycle - 2] == WarpCycle::issues)
            << id << " " << warp.number << " " << cycle;
  }
}

// The picture can be checked with the code below it: a warp is ready four cycles after the last result that its next
// line reads was issued, and not before the cycle after its own last issue.
TEST(TourInside, AWarpIsReadyWhenTheCodeBelowSaysSo) {
  constexpr std::int64_t latency = 4;
  for (const std::string_view id : {"h100", "h200", "rtx3090", "rtx4090"}) {
    const auto run = small_run(*hardware().find(std::string(id)));
    ASSERT_NE(run, nullptr) << id;
    ASSERT_EQ(run->code.size(), 4u) << id;
    // The picture does not show at which line a warp begins, so one of the four has to fit everything that follows.
    const auto fits = [&](const SmallRun::Warp& warp, std::size_t line) {
      std::map<char, std::int64_t> issued;  // by the variable that was written
      std::optional<std::int64_t> last;
      for (std::int64_t cycle = 0; cycle < static_cast<std::int64_t>(run->shown); ++cycle) {
        const std::string_view code = run->code[line % run->code.size()];  // "x = x * y + w"
        const WarpCycle state = warp.states[static_cast<std::size_t>(cycle)];
        if (last && issued.size() == 2) {
          std::int64_t ready = *last + 1;
          for (const std::size_t operand : {std::size_t{4}, std::size_t{8}})
            if (const auto found = issued.find(code[operand]); found != issued.end())
              ready = std::max(ready, found->second + latency);
          if ((cycle >= ready) != (state != WarpCycle::waits)) return false;
        }
        if (state != WarpCycle::issues) continue;
        issued[code.front()] = cycle;
        last = cycle;
        ++line;
      }
      return true;
    };
    for (const SmallRun::Warp& warp : run->warps) {
      bool any = false;
      for (std::size_t line = 0; line < run->code.size(); ++line) any = any || fits(warp, line);
      EXPECT_TRUE(any) << id << ": warp " << warp.number;
    }
  }
}

TEST(TourInside, TheAskedWarpIsTheOneThatIssues) {
  const Stage told = inside("issue");
  std::size_t rows = 0;
  for (std::size_t warp = 0; warp < 4; ++warp) {
    const PlaneItem* const last = plane(told).find(fmt::format("small {} 19", warp));
    ASSERT_NE(last, nullptr);
    if (last->kind != PlaneItem::Kind::box || last->tone != Tone::work) continue;
    ++rows;
    EXPECT_EQ(right_option("issue"), fmt::format("warp {}", static_cast<char>('A' + warp)));
    // It alone can issue in that cycle, and the picture of the question says so.
    EXPECT_EQ(text_of(inside("issue", open_questions()), fmt::format("small {} ready", warp)), "20");
  }
  EXPECT_EQ(rows, 1u);
  const std::size_t issued = count_of(told, "small \\d \\d+", [](const PlaneItem& item) {
    return item.kind == PlaneItem::Kind::box && item.tone == Tone::work;
  });
  EXPECT_EQ(text_of(told, "small issued"), fmt::format("{} of 20 cycles", issued));
}

TEST(TourInside, CyclesAppearOneAfterTheOther) {
  std::size_t last = 0;
  for (int tenth = 5; tenth <= 10; ++tenth) {
    const std::size_t now =
        count_of(inside("issue", {}, tenth / 10.0), "small 0 \\d+", [](const PlaneItem&) { return true; });
    EXPECT_GE(now, last);
    last = now;
  }
  EXPECT_EQ(last, 20u);
}

TEST(TourInside, TheLoadIsOneOfTheSimulatedRun) {
  const run::NumberTrail& trail = inside_trail();
  run::TimeTravel& travel = *opening_walk().travel;
  const Stage stage = inside("latency");
  std::smatch words;
  ASSERT_TRUE(std::regex_search(stage.sentence, words,
                                std::regex("waits (\\d+) cycles for numbers from (L2|memory).*issues (\\d+) instr")))
      << stage.sentence;
  const long cycles = std::stol(words[1]), others = std::stol(words[3]);
  // A load of the followed warp, and so many cycles later the end of its wait for memory.
  const auto window = travel.window(trail.sm, 0, travel.end(trail.sm));
  std::set<long> loads, ends;
  for (const gpu::Issue& issue : window->issues)
    if (issue.what.warp == trail.warp && !issue.accesses.empty()) loads.insert(issue.what.cycle);
  for (const gpu::WarpRow& row : window->warps)
    for (const gpu::WarpSpan& span : row.spans)
      if (row.place == trail.warp && span.reason == gpu::StallReason::long_scoreboard) ends.insert(span.to);
  bool found = false;
  for (const long load : loads) {
    if (!ends.contains(load + cycles)) continue;
    found = found || others == std::ranges::count_if(window->issues, [&](const gpu::Issue& issue) {
                       return issue.what.cycle >= load && issue.what.cycle < load + cycles &&
                              !(issue.what.warp == trail.warp) && issue.what.warp.slot % 4 == trail.warp.slot % 4;
                     });
  }
  EXPECT_TRUE(found) << stage.sentence;
  // The bars have the cycles of the GPU's description, to scale with one another.
  std::ifstream file(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  std::stringstream json;
  json << file.rdbuf();
  std::vector<std::string> options;
  std::vector<double> scales;
  for (const std::string key : {"l1", "l2", "memory"}) {
    std::smatch value;
    const std::string text = json.str();
    ASSERT_TRUE(std::regex_search(text, value, std::regex("\"latency_" + key + "\": \\{\"value\": (\\d+)")));
    options.push_back(fmt::format("about {} cycles", value[1].str()));
    scales.push_back(plane(stage).find(key + " bar")->box.width / std::stod(value[1]));
  }
  EXPECT_NEAR(scales[0], scales[2], 1e-9);
  EXPECT_NEAR(scales[1], scales[2], 1e-9);
  EXPECT_EQ(inside("latency", open_questions()).question->options, options);
  EXPECT_EQ(right_option("latency"), options[words[2] == "L2" ? 1 : 2]);
}

TEST(TourInside, TheStepWithoutARunSaysSo) {
  const Stage stage = inside("latency", {}, 1, false);
  EXPECT_FALSE(text_of(stage, "latency waits").empty());
  EXPECT_NE(plane(stage).find("memory bar"), nullptr);
  EXPECT_THAT(transcript(stage), Not(HasSubstr("{")));
  for (const std::string_view key : {"lanes", "sectors", "shared", "sum", "edge", "store"})
    EXPECT_GT(plane(inside(key, {}, 1, false)).items.size(), 10u) << key;
}

TEST(TourInside, LanesHaveTheNumbersOfTheirThreads) {
  const Stage stage = inside("lanes");
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(text_of(stage, fmt::format("lane {} number", lane)), fmt::format("c[{}, {}]", lane / 16, lane % 16));
  EXPECT_EQ(plane(stage).find(fmt::format("lane {}", inside_trail().lane))->tone, Tone::followed);
  EXPECT_EQ(right_option("lanes"), fmt::format("lane {}", inside_trail().lane + 1));
}

TEST(TourInside, SectorsAreCountedFromTheAddresses) {
  const auto sectors = [](int stride) {
    std::set<int> touched;
    for (int lane = 0; lane < 32; ++lane) touched.insert((lane / 16 * 328 + lane % 16 * stride) * 4 / 32);
    return touched.size();
  };
  EXPECT_EQ(right_option("sectors"), fmt::format("{} sectors", sectors(2)));
  const Stage stage = inside("sectors");
  EXPECT_THAT(text_of(stage, "sectors count"),
              HasSubstr(fmt::format("{} sectors: {} bytes", sectors(1), 32 * sectors(1))));
  EXPECT_THAT(text_of(stage, "strided count"),
              HasSubstr(fmt::format("{} sectors: {} bytes", sectors(2), 32 * sectors(2))));
  // The kernel's own load of b asks for as many.
  bool found = false;
  const auto window = opening_walk().travel->window(inside_trail().sm, 0, 4096);
  for (const gpu::Issue& issue : window->issues)
    for (const gpu::LoggedAccess& access : issue.accesses) {
      if (!(issue.what.warp == inside_trail().warp) || access.mask != 0xffffffff ||
          access.at[16] - access.at[0] != 328 * 4)
        continue;
      std::set<std::uint64_t> touched;
      for (const std::uint64_t at : access.at) touched.insert(at / 32);
      EXPECT_EQ(touched.size(), sectors(1));
      found = true;
    }
  EXPECT_TRUE(found);
}

TEST(TourInside, EveryWarpOfTheBlockNeedsTheFactor) {
  std::set<int> warps;
  int threads = 0;
  for (int row = 0; row < 16; ++row, ++threads) warps.insert((row * 16 + 2) / 32);
  EXPECT_EQ(right_option("shared"), fmt::format("{} warps", warps.size()));
  EXPECT_THAT(inside("shared").sentence,
              HasSubstr(fmt::format("b[0, 2] is needed by {} threads in {} warps", threads, warps.size())));
  // The same number of lanes in the block read this word of shared memory for their products.
  const Stage stage = inside("shared");
  const auto arrows = count_of(stage, "takes \\d+", [](const PlaneItem& item) { return item.shown == 1; });
  EXPECT_EQ(arrows, warps.size());
}

TEST(TourInside, TheSumIsTheOneOfTheRegister) {
  const Crafted& walk = opening_walk();
  const auto number = *followed_number(walk.trace, walk.walk, {});
  const std::vector<PartialSum> sums = partial_sums(number, inside_trail());
  ASSERT_EQ(sums.size(), 32u);
  const Stage stage = inside("sum");
  for (const PartialSum& sum : sums) {
    EXPECT_EQ(text_of(stage, fmt::format("a {}", sum.k)), fmt::format("{}", sum.a));
    EXPECT_EQ(text_of(stage, fmt::format("b {}", sum.k)), fmt::format("{}", sum.b));
    EXPECT_EQ(text_of(stage, fmt::format("product {}", sum.k)), fmt::format("{}", sum.a * sum.b + 0.0));
    EXPECT_EQ(text_of(stage, fmt::format("sum {}", sum.k)), fmt::format("{}", sum.sum));
  }
  EXPECT_EQ(text_of(stage, "sum value"), fmt::format("{} → {}", sums[30].sum, sums[31].sum));
  const float stored = std::bit_cast<float>(static_cast<std::uint32_t>(inside_trail().bits));
  EXPECT_THAT(text_of(stage, "register"), HasSubstr(fmt::format("= {}", stored)));
  EXPECT_EQ(text_of(stage, "factor a name"), "a_tile[y][i]");
  EXPECT_EQ(text_of(stage, "factor b name"), "b_tile[i][x]");
}

TEST(TourInside, LanesOfTheLastColumnSitOut) {
  EXPECT_EQ(right_option("edge"), "16 lanes");
  const Stage stage = inside("edge");
  EXPECT_THAT(stage.sentence, HasSubstr("328 columns, and block 20 begins at column 320: only 8 of its 16"));
  const auto working = count_of(stage, "lane \\d+", [](const PlaneItem& item) { return item.tone == Tone::work; });
  EXPECT_EQ(working, 16u);
  // In the simulated run, the store of that block's first warp has as many lanes.
  run::TimeTravel& travel = *opening_walk().travel;
  const auto sm = static_cast<std::uint16_t>(travel.timing().sm.at(20));
  const std::uint32_t store = inside_trail().store().instruction;
  std::vector<int> lanes;
  for (const gpu::Issue& issue : travel.window(sm, 0, travel.end(sm))->issues)
    if (issue.what.warp.block == 20 && issue.what.warp.warp == 0 && issue.what.instruction == store)
      lanes.push_back(std::popcount(issue.what.executing & issue.what.lanes));
  EXPECT_THAT(lanes, ElementsAre(16));
}

TEST(TourInside, TheNumberIsStoredAtItsAddress) {
  const Stage stage = inside("store");
  const auto [buffer, offset] = opening_walk().travel->place_of(inside_trail().address);
  EXPECT_EQ(text_of(stage, "address is"),
            fmt::format("= start of c + {} bytes", with_thousands(static_cast<std::int64_t>(offset))));
  EXPECT_EQ(offset, (1u * 328 + 2) * 4);
  const float stored = std::bit_cast<float>(static_cast<std::uint32_t>(inside_trail().bits));
  EXPECT_EQ(text_of(stage, "value"), fmt::format("{}", stored));
  EXPECT_NE(plane(stage).find("cell"), nullptr);
}

}  // namespace
}  // namespace warpwalk::story::testing
