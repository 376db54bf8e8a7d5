// The whole GPU at a glance adds up to the launch that it shows.
#include "core/story/facts/simulated/gpu_glance.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "tests/story/crafted/crafted.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

template <class Visit>
void for_each_row(const HeatPicture& picture, const Visit& visit) {
  for (const HeatGroup& group : picture.groups)
    for (const HeatRow& row : group.rows) visit(group, row);
}

TEST(GpuGlance, ItsCellsAddUpToTheInstructionsOfTheLaunch) {
  std::size_t compared = 0;
  for (const Crafted& made : crafted_inner()) {
    const run::TimeTravel& travel = *made.travel;
    const HeatPicture picture = gpu_glance(english(), travel, 0);
    // If a column covers several stretches of the record, the last column is cut short.
    if (picture.column != travel.record().stretch) continue;
    ++compared;
    const double slots = static_cast<double>(picture.column) * static_cast<double>(*travel.device().sub_partitions);
    double issued = 0;
    for_each_row(picture, [&](const HeatGroup&, const HeatRow& row) {
      for (const float share : row.shares) issued += std::max(0.0f, share) * slots;
    });
    EXPECT_NEAR(issued, static_cast<double>(travel.timing().warp_instructions), 0.5) << made.name;
  }
  EXPECT_GT(compared, 8U);
}

TEST(GpuGlance, ItsResidentsGiveTheAchievedOccupancy) {
  for (const Crafted& made : crafted_inner()) {
    const run::TimeTravel& travel = *made.travel;
    const gpu::LaunchTiming& timing = travel.timing();
    if (timing.cut) continue;
    const HeatPicture picture = gpu_glance(english(), travel, 0, {}, GlanceShows::residents);
    double slot_cycles = 0;
    for_each_row(picture, [&](const HeatGroup&, const HeatRow& row) {
      for (const float share : row.shares) slot_cycles += std::max(0.0f, share) * static_cast<double>(picture.column);
    });
    const double active = timing.cycles_active * static_cast<double>(*travel.device().sm_count);
    EXPECT_NEAR(slot_cycles, timing.achieved_occupancy / 100 * active, 1e-3 * slot_cycles) << made.name;
  }
}

TEST(GpuGlance, ShowsEachSmOnceInItsGpc) {
  const Crafted& made = crafted_inner_named("inner: machine code");
  const gpu::Device& device = made.travel->device();
  std::set<std::int64_t> seen;
  for_each_row(gpu_glance(english(), *made.travel, 17), [&](const HeatGroup& group, const HeatRow& row) {
    const auto sm = static_cast<std::int64_t>(row.value);
    EXPECT_TRUE(seen.insert(sm).second) << sm;
    EXPECT_EQ(row.followed, sm == 17);
    EXPECT_EQ(row.label, "SM " + std::to_string(sm));
    if (!group.name.starts_with("GPC ") || group.name == "GPC ?") return;
    const std::vector<std::int64_t>& members = (*device.gpcs)[std::stoul(group.name.substr(4))];
    EXPECT_NE(std::ranges::find(members, sm), members.end()) << group.name << ", " << sm;
  });
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(*device.sm_count));
}

TEST(GpuGlance, AnSmWithoutABlockHasNothingToDo) {
  const Crafted& made = crafted_inner_named("inner: arithmetic");  // one block
  const std::set<std::uint16_t> busy(made.travel->busy_sms().begin(), made.travel->busy_sms().end());
  ASSERT_EQ(busy.size(), 1u);
  for (const GlanceShows shows : {GlanceShows::issue, GlanceShows::residents}) {
    const HeatPicture picture = gpu_glance(english(), *made.travel, *busy.begin(), {}, shows);
    double mean = 0;
    for_each_row(picture, [&](const HeatGroup&, const HeatRow& row) {
      mean += row.mean();
      EXPECT_EQ(row.mean() > 0, row.followed) << row.label;
      for (const float share : row.shares) EXPECT_TRUE(row.followed || share == HeatRow::nothing) << row.label;
    });
    EXPECT_NEAR(picture.whole.mean() * static_cast<double>(*made.travel->device().sm_count), mean, 1e-6);
  }
}

TEST(GpuGlance, TheLargestShareHasAColourOfItsOwn) {
  for (const Crafted& made : crafted_inner()) {
    const HeatPicture picture = gpu_glance(english(), *made.travel, 0);
    double largest = 0;
    for_each_row(picture, [&](const HeatGroup&, const HeatRow& row) {
      for (const float share : row.shares) largest = std::max<double>(largest, share);
    });
    EXPECT_LE(largest, picture.top) << made.name;
    EXPECT_TRUE(picture.top == 0.05 || largest > picture.top / 2.6) << made.name << ": " << largest;
  }
}

}  // namespace
}  // namespace warpwalk::story::testing
