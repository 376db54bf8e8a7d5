// assets/devices/h200_validation.csv, which lab/validation and `simulate --accuracy` show, is what the model gives now.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/reference/compared.h"
#include "tests/validate/comparison.h"

namespace warpwalk {
namespace {

TEST(PublishedValidation, IsWhatTheModelGives) {
  const gpu::Device device = reference::h200();
  const std::filesystem::path sources = WARPWALK_SOURCE_DIR, held_out = sources / "tests/validate";
  const auto published = reference::rows_of(sources / "assets/devices/h200_validation.csv");
  int compared = 0;
  for (const auto& folder : {held_out / "reference", held_out})
    for (const auto& row : reference::rows_of(folder / "h200_measured.csv")) {
      if (std::stod(row.at("warp_inst")) > 4e5) continue;
      const auto result = validate::compare(device, row, folder, 1);
      ASSERT_TRUE(result) << result.error();
      const validate::Comparison& now = result->comparison;
      const auto shown = std::ranges::find_if(published, [&](const auto& p) { return p.at("case") == now.name; });
      ASSERT_NE(shown, published.end()) << now.name;
      EXPECT_EQ(std::stod(shown->at("cycles_measured")), now.cycles.measured) << now.name;
      EXPECT_NEAR(std::stod(shown->at("cycles_simulated")), now.cycles.simulated, 0.002 * now.cycles.simulated)
          << now.name << ": run tests/validate/publish.py";
      for (const auto& [column, pair] :
           {std::pair{"l1_hit", now.l1_hits}, {"l2_hit", now.l2_hits}, {"occupancy", now.occupancy}}) {
        EXPECT_NEAR(std::stod(shown->at(column + std::string("_measured"))), pair.measured, 0.06) << now.name << column;
        EXPECT_NEAR(std::stod(shown->at(column + std::string("_simulated"))), pair.simulated, 0.2)
            << now.name << column;
      }
      ++compared;
    }
  EXPECT_GE(compared, 6);
}

}  // namespace
}  // namespace warpwalk
