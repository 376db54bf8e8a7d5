// The lab of layouts: its run, and the places that it draws against the fragments of the PTX ISA.
#include <string>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/story/labs/layouts/layouts.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"

namespace warpwalk::story::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view layouts_scene = "lab/layouts";

const CellGrid& cells_of(const Stage& stage, std::size_t row) {
  return std::get<CellGrid>(lab_panels(stage).rows.at(row).panels.at(0).picture);
}

// PTX ISA, "WGMMA .m64nNk16 register fragment layout for accumulator matrix D".
TEST(LayoutsLab, TheProductLiesWhereThePtxIsaSays) {
  const Stage stage = lab_with(layouts_scene, 1, {{"tensor", 1}, {"first", 16}});
  const CellGrid& cells = cells_of(stage, 1);
  ASSERT_EQ(cells.cells.size(), 384U);
  for (std::size_t row = 0; row < 12; ++row)
    for (std::size_t column = 0; column < 32; ++column) {
      const std::size_t lane = row % 8 * 4 + column % 8 / 2, reg = column / 8 * 4 + row / 8 % 2 * 2 + column % 2;
      const Cell& cell = cells.cells[row * 32 + column];
      EXPECT_EQ(cell.label, fmt::to_string(lane));
      EXPECT_THAT(cell.tip, HasSubstr(fmt::format("warp {}, lane {}, register {}", 1, lane, reg)));
    }
}

// TMA with a swizzle of 128 bytes: the number of a chunk of 16 bytes is XORed with that of its row.
TEST(LayoutsLab, TheSwizzleIsTmas) {
  const Stage stage = lab_with(layouts_scene, 2, {{"buffer", 1}});
  const CellGrid& cells = cells_of(stage, 1);
  for (std::size_t row = 0; row < 8; ++row)
    for (std::size_t bank = 0; bank < 32; ++bank)
      EXPECT_THAT(cells.cells[row * 32 + bank].tip,
                  HasSubstr(fmt::format("({}, {})", row, (bank / 4 ^ row) * 8 + bank % 4 * 2)));
}

TEST(LayoutsLab, TheRunAgreesWithEveryLayoutThatItCompares) {
  const Stage stage = lab_with(layouts_scene, 3);
  const auto& table = std::get<TablePicture>(lab_panels(stage).rows.at(0).panels.at(0).picture);
  EXPECT_GE(table.rows.size(), 10U);
  EXPECT_THAT(stage.title, HasSubstr("places are as the layouts say"));
}

TEST(LayoutsLab, Tasks) {
  EXPECT_EQ(tasks_done(layouts_scene, {}), "----");
  EXPECT_EQ(tasks_done(layouts_scene, {{"tensor", 1}, {"first", 16}}), "x---");
  EXPECT_EQ(tasks_done(layouts_scene, {{"element", 7 * 32 + 31}, {"buffer", 2}}), "-x-x");
}

}  // namespace
}  // namespace warpwalk::story::testing
