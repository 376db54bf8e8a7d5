// What a warp waits for: the lines and sectors of the loads that its counter stands for, and of no others.
#include "core/story/facts/simulated/awaited_loads.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "core/gpu/exec/program.h"
#include "core/story/scene_list.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/stages.h"
#include "tests/story/whole_walk.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

struct Bytes {
  std::set<std::uint64_t> lines, sectors;
};

// By the addresses of the lanes that the access has, without the coalescer.
Bytes touched(const gpu::LoggedAccess& access) {
  Bytes found;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if ((access.mask >> lane & 1) == 0) continue;
    for (std::uint64_t byte = access.at[lane]; byte < access.at[lane] + access.bytes; ++byte) {
      found.lines.insert(byte / 128);
      found.sectors.insert(byte / 32);
    }
  }
  return found;
}

// The product of the opening walk loads a tile of a and one of b at the same time. Each warp loads two rows of 16
// floats: 64 bytes of two lines, if they begin at a sector.
TEST(AwaitedLoads, AreThoseOfTheCounterAndNotAllOfTheWarp) {
  const Crafted& walk = opening_walk();
  run::TimeTravel& travel = *walk.travel;
  const std::uint16_t sm = travel.busy_sms().front();
  std::size_t single = 0, others = 0;
  for (std::int64_t cycle = 400; cycle < 3000; cycle += 200) {
    const auto now = travel.at(sm, cycle);
    for (const gpu::WarpState& warp : now->state.warps)
      for (std::size_t i = 0; i < warp.dependences.size(); ++i) {
        const gpu::DependenceState& dependence = warp.dependences[i];
        if (dependence.pending == 0 || (warp.wait_mask >> i & 1) == 0 || !dependence.from_memory) continue;
        const AwaitedLoads loads = awaited_loads(travel, *now, warp, i);
        EXPECT_LE(loads.accesses, dependence.pending);
        EXPECT_LE(loads.lines_away, loads.lines);
        EXPECT_LE(loads.sectors_away, loads.sectors);
        if (loads.accesses != 1) continue;
        ++single;
        const auto window = travel.window(sm, loads.cycle, loads.cycle + 1);
        for (const gpu::Issue& issue : window->issues) {
          if (!(issue.what.warp == warp.place)) continue;
          ASSERT_EQ(issue.what.instruction, loads.instruction);
          ASSERT_EQ(issue.accesses.size(), 1u);
          const Bytes asked = touched(issue.accesses.front());
          EXPECT_EQ(static_cast<std::size_t>(loads.lines), asked.lines.size());
          EXPECT_EQ(static_cast<std::size_t>(loads.sectors), asked.sectors.size());
          EXPECT_EQ(travel.program().machine_code->instructions[loads.instruction].control.write_barrier, i);
        }
        std::size_t of_warp = 0;
        for (const gpu::RequestState& request : now->state.requests)
          of_warp += !request.store && !request.fetch &&
                     std::ranges::find(request.slots, warp.place.slot) != request.slots.end();
        others += of_warp > static_cast<std::size_t>(loads.lines_away);
      }
  }
  EXPECT_GT(single, 10u);
  EXPECT_GT(others, 0u) << "no warp had asked for more than it waits for";
}

// 32 neighbouring floats: one line, its four sectors.
TEST(AwaitedLoads, TheTableSaysWhatTheLoadAskedFor) {
  const Crafted& walk = crafted_inner_named("inner: asked early");
  const Scene& scene = *find_scene("schedulers");
  SceneInput input{walk.trace, walk.walk, english(), hardware(), {}, walk.controls};
  input.moment = {Moment::Kind::beat, beat_named(scene, walk.trace, walk.walk, "wait"), 1};
  input.history = walk.view();
  const Stage stage = stage_of(scene, input);
  const TablePicture& why = *panels_of<TablePicture>(stage).back();
  std::string asked;
  for (const TableRow& row : why.rows)
    if (row.cells[0].text == "which asked for") asked = row.cells[1].text;
  EXPECT_EQ(asked, "1 line, 4 sectors");
}

}  // namespace
}  // namespace warpwalk::story::testing
