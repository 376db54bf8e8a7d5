// The followed number: found, named in every scene, added up in the lanes, and in the place of the question mark.
#include "core/story/facts/simulated/followed_number.h"

#include <map>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/run/replay/number_trail.h"
#include "core/story/pictures/panels.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "tests/story/stages.h"
#include "tests/story/whole_walk.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

using ::testing::HasSubstr;

run::NumberTrail trail_of(const Crafted& walk, const Controls& controls = {}) {
  run::HistoryOptions options;
  options.device = *hardware().find("h200");
  const auto found = run::find_number_trail(walk.trace, *walk.travel, *walk.simulated,
                                            *number_request(walk.trace, walk.walk, controls), options);
  if (!found) throw std::runtime_error(found.error());
  return **found;
}

/// Visits every beat of the eight scenes with this trail, none if it is null.
void visit(const Crafted& walk, const run::NumberTrail* trail, const Narration& words, const Controls& controls,
           const std::function<void(const Scene&, const Stage&)>& each, const std::string& no_trail = {}) {
  for (const Scene& scene : scenes()) {
    const auto beats = static_cast<std::int64_t>(scene.beats(walk.trace, walk.walk).size());
    for (std::int64_t beat = 1; beat <= beats; ++beat) {
      SceneInput input{walk.trace, walk.walk, words, hardware(), {Moment::Kind::beat, beat, 1}, controls};
      input.history = walk.view();
      input.history.trail = trail;
      input.history.no_trail = no_trail;
      each(scene, stage_of(scene, input));
    }
  }
}

const run::NumberTrail& usual_trail() {
  static const run::NumberTrail trail = trail_of(opening_walk());
  return trail;
}

TEST(FollowedNumber, IsInEveryBeatOfEveryScene) {
  std::set<std::string_view> seen;
  visit(opening_walk(), &usual_trail(), english(), {}, [&](const Scene& scene, const Stage& stage) {
    ASSERT_TRUE(stage.number) << scene.name << " " << stage.beat;
    EXPECT_EQ(stage.number->name, "c[1, 2]");
    EXPECT_THAT(transcript(stage), HasSubstr("followed: "));
    seen.insert(scene.name);
  });
  EXPECT_EQ(seen.size(), 8U);
}

// The recorded inputs are integers, so the sum is exact in any order.
TEST(FollowedNumber, IsTheSumOfItsProducts) {
  const Crafted& walk = opening_walk();
  const auto number = followed_number(walk.trace, walk.walk, {});
  ASSERT_TRUE(number && number->product);
  double sum = 0;
  for (std::int64_t k = 0; k < number->product->k; ++k)
    sum += number->product->inputs[0].at(1, k) * number->product->inputs[1].at(k, 2);
  EXPECT_EQ(value_text(*number, usual_trail().bits), element_text(sum));
  const std::vector<PartialSum> sums = partial_sums(*number, usual_trail());
  ASSERT_EQ(sums.size(), static_cast<std::size_t>(number->product->k));
  for (std::size_t k = 0; k < sums.size(); ++k) {
    EXPECT_EQ(sums[k].sum, (k == 0 ? 0 : sums[k - 1].sum) + sums[k].a * sums[k].b) << k;
    EXPECT_GE(sums[k].cycle, k == 0 ? 0 : sums[k - 1].cycle) << k;
  }
  EXPECT_EQ(sums.back().sum, sum);
}

TEST(FollowedNumber, IsReadByTheThreadOfRelu) {
  ASSERT_TRUE(usual_trail().next);
  const run::NextNumber& next = *usual_trail().next;
  EXPECT_EQ(next.read, usual_trail().bits);
  EXPECT_EQ(next.written, usual_trail().bits) << "the usual number is one that relu keeps";
  // PyTorch's kernel gives each thread four adjacent elements, and each block 512 of them twice.
  const std::uint64_t element = 1 * 328 + 2;
  EXPECT_EQ(next.warp.block, element / 1024);
  EXPECT_EQ(next.warp.warp * 32 + static_cast<std::uint32_t>(next.lane), element % 512 / 4);
}

// Chooses an element of the same product that relu sets to 0.
TEST(FollowedNumber, IsChosenByTheControlsOfTheFirstScene) {
  const Crafted& walk = opening_walk();
  const auto usual = followed_number(walk.trace, walk.walk, {});
  Controls controls;
  ElementIndex negative;
  for (std::int64_t column = 0; column < 328 && negative.column == 0; ++column)
    if (usual->product->sums(300, column).back() < 0) negative = {300, column};
  ASSERT_GT(negative.column, 0);
  controls.set("boardroom.row", static_cast<double>(negative.row));
  controls.set("boardroom.column", static_cast<double>(negative.column));
  const auto number = followed_number(walk.trace, walk.walk, controls);
  EXPECT_EQ(number->at, negative);
  const run::NumberTrail trail = trail_of(walk, controls);
  EXPECT_EQ(trail.warp.block, static_cast<std::uint64_t>(negative.row / 16 * 21 + negative.column / 16));
  ASSERT_TRUE(trail.next);
  EXPECT_EQ(trail.next->written, 0U);
  Walk chosen = walk.walk;
  chosen.element = negative;
  EXPECT_EQ(followed_number(walk.trace, chosen, {})->at, negative);
  EXPECT_EQ(chosen_walk(walk.trace, fmt::format("element:{},{}", negative.row, negative.column))->element, negative);
  EXPECT_EQ(chosen_walk(walk.trace, "op:1/element:520,0").error(),
            "op:1/element:520,0: the result has the elements 0,0 to 519,327");
  EXPECT_EQ(chosen_walk(walk.trace, "")->kernel, walk.walk.kernel);
}

std::string key_of(const Scene& scene, const Stage& stage) {
  const Crafted& walk = opening_walk();
  return scene.beats(walk.trace, walk.walk)[static_cast<std::size_t>(stage.beat) - 1].key;
}

// An element in the middle of the result. Neither the first block nor the first warp of a block computes it.
const Controls& far_element() {
  static const Controls controls = [] {
    Controls far;
    far.set("boardroom.row", 300);
    far.set("boardroom.column", 200);
    return far;
  }();
  return controls;
}

const run::NumberTrail& far_trail() {
  static const run::NumberTrail trail = trail_of(opening_walk(), far_element());
  return trail;
}

// The inner scenes show the block, the SM and the warp of the number.
TEST(FollowedNumber, IsWhatTheInnerScenesFollow) {
  const run::NumberTrail& trail = far_trail();
  EXPECT_EQ(trail.warp.block, 300U / 16 * 21 + 200 / 16);
  EXPECT_NE(trail.warp.warp, 0);
  std::size_t warps = 0, sms = 0;
  visit(opening_walk(), &trail, english(), far_element(), [&](const Scene& scene, const Stage& stage) {
    // In this launch no warp of the followed SM diverges, so this beat shows a warp of another SM. The last two beats
    // of the schedulers show a changed GPU, on which this warp begins later.
    const std::string key = key_of(scene, stage);
    if (key == "diverge" || (scene.name == "schedulers" && (key == "alone" || key == "any"))) return;
    for (const Fact& fact : stage.facts) {
      if (fact.label != "Followed warp" && fact.label != "Warp") continue;
      EXPECT_EQ(fact.figure.text(), fmt::format("warp {} of block {}", trail.warp.warp, trail.warp.block))
          << scene.name << " " << stage.beat;
      ++warps;
    }
    if (scene.name != "sm" && scene.name != "schedulers" && scene.name != "lanes") return;
    for (const Control& control : stage.controls) {
      if (control.name != "sm") continue;
      EXPECT_EQ(control.value, trail.sm) << scene.name << " " << stage.beat;
      ++sms;
    }
  });
  EXPECT_GE(warps, 6U);
  EXPECT_GE(sms, 6U);
}

// The line of each scene gives what the trail found.
TEST(FollowedNumber, ItsLinesSayWhatTheTrailFound) {
  const run::NumberTrail& trail = far_trail();
  const auto number = followed_number(opening_walk().trace, opening_walk().walk, far_element());
  std::map<std::string, std::string> lines;
  visit(opening_walk(), &trail, english(), far_element(),
        [&](const Scene& scene, const Stage& stage) { lines[std::string(scene.name)] = stage.number->text; });
  const std::string block = std::to_string(trail.warp.block), warp = std::to_string(trail.warp.warp);
  const std::string value = value_text(*number, trail.bits), lane = std::to_string(trail.lane);
  EXPECT_THAT(lines["boardroom"], HasSubstr(fmt::format("{} products", number->product->k)));
  EXPECT_THAT(lines["warehouse"], HasSubstr(fmt::format("{:#x}", trail.address)));
  EXPECT_THAT(lines["launch"], HasSubstr(fmt::format("thread block {} of", block)));
  EXPECT_THAT(lines["sm"], HasSubstr(fmt::format("SM {}: warp {} of block {}", trail.sm, warp, block)));
  EXPECT_THAT(lines["schedulers"], HasSubstr(fmt::format("scheduler {}", trail.warp.slot % 4)));
  EXPECT_THAT(lines["lanes"], HasSubstr(fmt::format("lane {} of warp {} of block {}", lane, warp, block)));
  EXPECT_THAT(lines["lanes"], HasSubstr(value));
  EXPECT_THAT(lines["map"], HasSubstr(fmt::format("{} = {}", number->name(), value)));
  // The loop over a tile is unrolled: its 16 multiply-adds run twice.
  EXPECT_THAT(lines["translator"], HasSubstr("The 32 products of c[300, 200] are added by 16 instructions"));
}

// The beat about the sum: both factors' ways end in the instruction that adds their product.
TEST(FollowedNumber, TheWayOfItsFactorsLeadsToTheSum) {
  const Crafted& walk = opening_walk();
  const auto number = followed_number(walk.trace, walk.walk, {});
  const std::vector<PartialSum> sums = partial_sums(*number, usual_trail());
  constexpr std::size_t k = 5;
  Controls controls;
  controls.set("lanes.product", static_cast<double>(k));
  std::size_t seen = 0;
  visit(walk, &usual_trail(), english(), controls, [&](const Scene& scene, const Stage& stage) {
    if (key_of(scene, stage) != "sum") return;
    ++seen;
    const auto& graph = panel_picture<GraphPicture>(stage);
    const auto product = std::ranges::find(graph.nodes, true, &GraphNode::followed);
    ASSERT_NE(product, graph.nodes.end());
    EXPECT_EQ(product->below, "sum = " + element_text(sums[k].sum));
    std::set<std::string> begins;
    for (const GraphNode& node : graph.nodes)
      if (node.column == 0) begins.insert(node.name);
    EXPECT_EQ(begins, (std::set{fmt::format("load a[1, {}] = {}", k, element_text(sums[k].a)),
                                fmt::format("load b[{}, 2] = {}", k, element_text(sums[k].b))}));
    EXPECT_EQ(std::ranges::count(graph.edges, product - graph.nodes.begin(),
                                 [](const GraphEdge& edge) { return static_cast<std::ptrdiff_t>(edge.to); }),
              2);
    EXPECT_EQ(graph.edges.size(), 6U) << "a load, a store to shared memory and a load from it for each factor";
  });
  EXPECT_EQ(seen, 1U);
}

// A cycle is shown by the beat about any cycle, though relu's beat comes after it; the register that the instruction
// writes is lit.
TEST(FollowedNumber, EachOfItsSumsIsSeenInItsCycle) {
  const Crafted& walk = opening_walk();
  const auto number = followed_number(walk.trace, walk.walk, {});
  const std::vector<PartialSum> sums = partial_sums(*number, usual_trail());
  for (const std::size_t k : {std::size_t{0}, std::size_t{7}, sums.size() - 1}) {
    SceneInput input{walk.trace, walk.walk, english(), hardware(), {Moment::Kind::cycle, sums[k].cycle, 1}};
    input.history = walk.view();
    input.history.trail = &usual_trail();
    const Stage stage = *stage_at(*find_scene("lanes"), input);
    EXPECT_EQ(stage.cycle->at, sums[k].cycle);
    EXPECT_THAT(stage.title, HasSubstr("Cycle"));
    const auto pictures = panels_of<WarpPicture>(stage);
    ASSERT_EQ(pictures.size(), 1U);
    const auto lane = static_cast<std::size_t>(usual_trail().lane);
    EXPECT_TRUE(pictures[0]->lanes[lane].followed);
    EXPECT_EQ(pictures[0]->values.back().lanes[lane], fmt::format("{:g}", sums[k].sum));
    const auto grids = panels_of<CellGrid>(stage);
    ASSERT_EQ(grids.size(), 1U);
    std::vector<std::string> written;
    for (const Cell& cell : grids[0]->cells)
      if (cell.tone == Tone::work) written.push_back(cell.label);
    ASSERT_EQ(written.size(), 1U);
    EXPECT_THAT(written[0], ::testing::EndsWith(fmt::format(" {:g}", sums[k].sum)));
  }
}

// Every text about the number is used: with a trail, without one, with cycles that were not simulated, and with a sum
// that is added up in another way.
TEST(FollowedNumber, UsesAllOfItsTexts) {
  const Crafted& walk = opening_walk();
  run::NumberTrail uncut = usual_trail(), other = usual_trail(), cleared = usual_trail(), alone = usual_trail(),
                   part = usual_trail();
  std::ranges::fill(uncut.cycles, -1);
  for (gpu::OriginStep& step : other.origin.steps)
    if (step.kind == gpu::OriginStep::Kind::compute) step.value ^= 1;
  cleared.next->written = 0;
  alone.next.reset();
  part.origin.incomplete = "a reason";
  Controls far;
  far.set("boardroom.row", 100);
  std::string words;
  const Narration narration = marked();
  const auto collect = [&](const run::NumberTrail* trail, const Controls& controls, const std::string& no_trail = {}) {
    visit(
        walk, trail, narration, controls,
        [&](const Scene&, const Stage& stage) {
          EXPECT_THAT(everything_on(stage), ::testing::Not(HasSubstr("(no narration")));
          words += everything_on(stage) + stage.note;
          if (stage.number) words += stage.number->text;
        },
        no_trail);
  };
  collect(&usual_trail(), {});
  for (const run::NumberTrail* const trail : {&uncut, &other, &cleared, &alone, &part}) collect(trail, {});
  collect(nullptr, far);
  collect(nullptr, {}, "a reason");
  std::set<std::string> missing;
  for (const std::string& text : texts_in(english_scene_text()))
    if (text.starts_with("number.") || text.starts_with("lanes.sum") || text.starts_with("map.answer") ||
        text.starts_with("lanes.fact/number") || text == "lanes.control/product" || text == "boardroom.word/from")
      if (words.find("<" + text + ">") == std::string::npos) missing.insert(text);
  // Used only for accesses to local memory and for results that are not a product (narration_use_test.cpp).
  for (const std::string_view elsewhere :
       {"lanes.sum_word/local", "lanes.sum_word/copies", "lanes.sum_word/ptx", "number.note/stand_in",
        "number.boardroom/other", "number.translator/other", "number.warehouse/other", "number.map/other"})
    missing.erase(std::string(elsewhere));
  EXPECT_EQ(missing, std::set<std::string>{});
}

}  // namespace
}  // namespace warpwalk::story::testing
