// The scenes of the schedulers and the lanes: their figures agree with their pictures.
#include "core/story/scenes/lanes/lanes.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/gpu/exec/bank_conflicts.h"
#include "core/gpu/exec/program.h"
#include "core/records/hardware.h"
#include "core/story/facts/code/instruction_text.h"
#include "core/story/scene_list.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/stages.h"
#include "tests/story/whole_walk.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

Stage inner_stage(const Crafted& one, std::string_view scene, std::string_view beat) {
  const Scene& found = *find_scene(scene);
  SceneInput input{one.trace, one.walk, english(), hardware(), {}, one.controls};
  input.moment = {Moment::Kind::beat, beat_named(found, one.trace, one.walk, beat), 1};
  input.history = one.view();
  return stage_of(found, input);
}

// "1,294 cycles" -> 1294
std::int64_t number_in(const std::string& text) {
  std::int64_t number = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9')
      number = 10 * number + (c - '0');
    else if (c != ',' && number > 0)
      break;
  }
  return number;
}

TEST(Lanes, TheBanksHaveARowForEachWavefront) {
  std::size_t wide = 0;
  for (const Crafted& one : crafted_inner()) {
    if (one.walk.kernel == no_slice) continue;
    const Stage stage = inner_stage(one, "lanes", "banks");
    const Fact* const passes = find_fact(stage, "Passes over the banks");
    if (passes == nullptr) continue;
    const auto pictures = panels_of<WarpPicture>(stage);
    ASSERT_EQ(pictures.size(), 1u) << one.name;
    const std::vector<WarpStrip>& strips = pictures[0]->strips;
    EXPECT_EQ(static_cast<std::int64_t>(strips.size()), number_in(passes->figure.text())) << one.name;
    wide += strips.size() > 1;
    // A bank gives one word in a wavefront, and each lane has a way to a word that is given.
    for (const WarpStrip& strip : strips) EXPECT_EQ(strip.words.size(), 32u);
    for (const WarpLane& lane : pictures[0]->lanes)
      for (const auto& [wavefront, bank] : lane.words)
        EXPECT_NE(strips.at(wavefront).words.at(bank).tone, Tone::quiet) << one.name;
  }
  EXPECT_GE(wide, 2u);
}

// The ways of the lanes lead to as many lines and sectors as the facts say, and every sector has its lanes.
TEST(Lanes, TheWaysOfAnAccessLeadToItsSectors) {
  std::size_t accesses = 0;
  for (const Crafted& one : crafted_inner()) {
    if (one.walk.kernel == no_slice) continue;
    const Stage stage = inner_stage(one, "lanes", "fold");
    const Fact* const lines = find_fact(stage, "Lines");
    const Fact* const sectors = find_fact(stage, "Sectors");
    if (lines == nullptr || sectors == nullptr) continue;
    const auto pictures = panels_of<WarpPicture>(stage);
    ASSERT_EQ(pictures.size(), 1u) << one.name;
    ++accesses;
    std::set<std::size_t> used_lines;
    std::set<std::pair<std::size_t, std::size_t>> used_sectors;
    for (const WarpLane& lane : pictures[0]->lanes)
      for (const auto& [line, word] : lane.words) {
        used_lines.insert(line);
        used_sectors.emplace(line, word / 8);
        EXPECT_EQ(pictures[0]->strips.at(line).words.at(word).tone, Tone::memory) << one.name;
      }
    EXPECT_EQ(static_cast<std::int64_t>(used_lines.size()), number_in(lines->figure.text())) << one.name;
    EXPECT_EQ(static_cast<std::int64_t>(used_sectors.size()), number_in(sectors->figure.text())) << one.name;
    EXPECT_EQ(pictures[0]->strips.size(), used_lines.size());
  }
  EXPECT_GE(accesses, 3u);
}

TEST(Lanes, LanesAreServedTogetherAsTheyAreCounted) {
  gpu::LoggedAccess access{};
  access.mask = ~0U;
  for (const int bytes : {4, 8, 16})
    for (const std::uint64_t stride : {0, 4, 8, 16, 32, 128}) {
      access.bytes = static_cast<std::uint8_t>(bytes);
      for (std::uint64_t lane = 0; lane < 32; ++lane) access.at[lane] = lane / 2 * stride;
      std::uint32_t all = 0;
      int passes = 0;
      for (const std::uint32_t group : lane_groups(access)) {
        EXPECT_EQ(all & group, 0u);
        all |= group;
        passes += gpu::wavefronts_of(access.at.data(), group, bytes, false).passes;
      }
      EXPECT_EQ(all, ~0U);
      EXPECT_EQ(passes, gpu::wavefronts_of(access.at.data(), ~0U, bytes, false).passes) << bytes << " " << stride;
    }
}

// The beat about the trip asks how long the data takes; the one before it is about the same load.
TEST(Lanes, TheBeatBeforeTheTripDoesNotSayWhenTheDataIsBack) {
  std::size_t known = 0;
  for (const Crafted& one : crafted_inner()) {
    if (one.walk.kernel == no_slice) continue;
    EXPECT_EQ(find_fact(inner_stage(one, "lanes", "fold"), "Data is back"), nullptr) << one.name;
    known += find_fact(inner_stage(one, "lanes", "trip"), "Data is back") != nullptr;
  }
  EXPECT_GE(known, 3u);
}

TEST(Lanes, TheStationsOfATripAddUpToItsLength) {
  std::size_t trips = 0;
  const auto check = [&](const Crafted& one) {
    const Stage stage = inner_stage(one, "lanes", "trip");
    const Fact* const back = find_fact(stage, "Data is back");
    if (back == nullptr || !stage.cycle) return;
    const auto tables = panels_of<TablePicture>(stage);
    if (tables.empty() || tables.front()->columns.size() != 3) return;
    std::int64_t sum = 0;
    for (const TableRow& row : tables.front()->rows) sum += number_in(row.cells.at(2).text);
    const std::int64_t way = number_in(back->figure.text()) - stage.cycle->at;
    EXPECT_EQ(sum, way) << one.name;
    EXPECT_NE(stage.title.find(with_thousands(way)), std::string::npos) << one.name << ": " << stage.title;
    ++trips;
  };
  for (const Crafted& one : crafted_inner())
    if (one.walk.kernel != no_slice) check(one);
  check(opening_walk());
  EXPECT_GE(trips, 4u);
}

TEST(Lanes, AnInstructionThatNoLaneExecutesIsNotShown) {
  const Stage stage = inner_stage(crafted_inner_named("inner: asked early"), "lanes", "lanes");
  EXPECT_EQ(fact_text(stage, "Instruction").find('@'), std::string::npos) << fact_text(stage, "Instruction");
  EXPECT_EQ(fact_text(stage, "Active"), "32 lanes");
}

// At the edge of the matrix, a predicate turns off the loads of some lanes: they have no new value.
TEST(Lanes, ALaneThatIsPredicatedOffHasNoNewValue) {
  const Crafted& walk = opening_walk();
  run::TimeTravel& travel = *walk.travel;
  const gpu::MachineCode& code = *travel.program().machine_code;
  for (const std::uint16_t sm : travel.busy_sms()) {
    const auto window = travel.window(sm, 0, 2048);
    const auto found = std::ranges::find_if(window->issues, [&](const gpu::Issue& issue) {
      return issue.what.executing != issue.what.lanes && code.uses[issue.what.instruction].writes.general.any();
    });
    if (found == window->issues.end()) continue;
    const std::uint32_t executing = found->what.executing;
    SceneInput input{walk.trace, walk.walk, english(), hardware(), {}, {}};
    input.moment = {Moment::Kind::beat, beat_named(*find_scene("lanes"), walk.trace, walk.walk, "any"), 1};
    input.history = walk.view();
    input.cycle = found->what.cycle;
    input.controls.set("lanes.sm", sm);
    input.controls.set("lanes.warp", found->what.warp.slot);
    static constexpr LanesView any = {.any_instruction = true};
    const LanesSubject s = lanes_subject(input, any);
    ASSERT_NE(s.issue, nullptr);
    ASSERT_EQ(s.issue->what.instruction, found->what.instruction);
    EXPECT_EQ(number_in(fact_text(stage_of(*find_scene("lanes"), input), "Active")), std::popcount(executing));
    std::size_t written = 0;
    const WarpPicture picture = warp_picture(s);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const bool on = (executing >> lane & 1) != 0;
      for (const LaneValue& value : registers_of_lane(s, lane)) {
        EXPECT_TRUE(on || !(value.read || value.written)) << lane << ": " << value.name;
        written += value.written;
      }
      for (const WarpValue& value : picture.values)
        EXPECT_TRUE(on || !value.result || value.lanes[lane].empty()) << lane << ": " << value.name;
    }
    EXPECT_EQ(written > 0, executing != 0);
    return;
  }
  ADD_FAILURE() << "all lanes execute everything";
}

TEST(Schedulers, AStateBeganWhereTheRasterShowsItsBeginning) {
  std::size_t waits = 0;
  const auto check = [&](const Crafted& one) {
    for (const char* const beat : {"rule", "wait", "return"}) {
      const Stage stage = inner_stage(one, "schedulers", beat);
      if (find_fact(stage, "Since") == nullptr || !stage.cycle) continue;
      const std::int64_t since = number_in(fact_text(stage, "Since"));
      const RasterPicture& raster = *panels_of<RasterPicture>(stage).front();
      for (const RasterGroup& group : raster.groups)
        for (const RasterRow& row : group.rows)
          for (const RasterSpan& span : row.spans) {
            if (!row.followed || span.from > stage.cycle->at || span.to <= stage.cycle->at) continue;
            if (span.from == raster.from) continue;  // it began before
            EXPECT_EQ(span.from, since) << one.name << ", " << beat;
            ++waits;
          }
    }
  };
  for (const Crafted& one : crafted_inner())
    if (one.walk.kernel != no_slice) check(one);
  check(opening_walk());
  EXPECT_GT(waits, 20u);
}

}  // namespace
}  // namespace warpwalk::story::testing
