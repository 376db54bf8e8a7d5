// The lab of number formats: bits that are flipped, errors, sums and gradients against the host's own types.
#include <bit>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/story/labs/lab_parts.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"

namespace warpwalk::story::testing {
namespace {

constexpr std::string_view number_formats_scene = "lab/number-formats";
constexpr double fp64 = 0, fp32 = 1, fp16 = 3, e4m3 = 5, int8 = 8;

const CellGrid& bits_of(const Stage& stage) { return panel_picture<CellGrid>(stage); }

std::string pattern_of(const Stage& stage) {
  std::string bits;
  for (const Cell& cell : bits_of(stage).cells) bits += cell.label;
  return bits;
}

// Sets what a click on a cell sets.
Stage clicked(const Stage& stage, std::size_t cell, double format) {
  const auto& sets = bits_of(stage).cells.at(cell).sets;
  const auto name = [&](std::size_t i) { return sets.at(i).first.substr(number_formats_scene.size() + 1); };
  return lab_with(number_formats_scene, 1,
                  {{"format", format},
                   {name(0).c_str(), sets[0].second},
                   {name(1).c_str(), sets[1].second},
                   {name(2).c_str(), sets[2].second}});
}

TEST(NumberFormatsLab, ShowsTheBitsOfTheHostsTypes) {
  EXPECT_EQ(pattern_of(lab_with(number_formats_scene, 1, {{"format", fp32}})),
            fmt::format("{:032b}", std::bit_cast<std::uint32_t>(0.1f)));
  EXPECT_EQ(pattern_of(lab_with(number_formats_scene, 1, {{"format", fp64}, {"digits", -314}, {"power", -2}})),
            fmt::format("{:064b}", std::bit_cast<std::uint64_t>(-3.14)));
  EXPECT_EQ(pattern_of(lab_with(number_formats_scene, 1)), "0010111001100110") << "0.1 in FP16";
  EXPECT_EQ(fact_text(lab_with(number_formats_scene, 1), "Value"), "0.0999755859375");
}

TEST(NumberFormatsLab, AClickFlipsOneBitAndAnotherOneFlipsItBack) {
  for (const double format : {fp64, fp32, fp16, e4m3, int8}) {
    const Stage stage = lab_with(number_formats_scene, 1, {{"format", format}});
    const std::string before = pattern_of(stage);
    for (const std::size_t bit : {std::size_t{0}, before.size() / 2, before.size() - 1}) {
      std::string wanted = before;
      wanted[bit] = wanted[bit] == '0' ? '1' : '0';
      const Stage flipped = clicked(stage, bit, format);
      EXPECT_EQ(pattern_of(flipped), wanted);
      EXPECT_EQ(pattern_of(clicked(flipped, bit, format)), before);
    }
  }
}

TEST(NumberFormatsLab, FlippedBitsEndWithAnotherNumber) {
  const Stage stage = lab_with(number_formats_scene, 1);
  const auto& sets = bits_of(stage).cells.at(0).sets;
  const Stage other =
      lab_with(number_formats_scene, 1, {{"flips_of", sets[0].second}, {"flips_low", sets[2].second}, {"digits", 2}});
  EXPECT_EQ(fact_text(other, "Value"), real_text(static_cast<double>(std::nearbyint(0.2 * 8192) / 8192), 17));
}

TEST(NumberFormatsLab, ExactlyKeptNumbersAreCounted) {
  EXPECT_EQ(fact_text(lab_with(number_formats_scene, 2), "Formats without error"), "0");
  EXPECT_EQ(fact_text(lab_with(number_formats_scene, 2, {{"digits", 2}, {"power", 0}}), "Formats without error"), "9");
  EXPECT_EQ(fact_text(lab_with(number_formats_scene, 2, {{"digits", 5}, {"power", -1}}), "Formats without error"), "8")
      << "not INT8";
  EXPECT_EQ(fact_text(lab_with(number_formats_scene, 2, {{"digits", 300}, {"power", 0}}), "Formats without error"), "5")
      << "FP64, FP32, TF32, FP16, BF16";
  EXPECT_EQ(fact_text(lab_with(number_formats_scene, 2, {{"digits", 1}, {"power", 22}}), "Formats without error"), "1")
      << "FP64";
  EXPECT_EQ(fact_text(lab_with(number_formats_scene, 2, {{"digits", 1}, {"power", 23}}), "Formats without error"), "0");
}

TEST(NumberFormatsLab, TheSumInFp32IsTheHosts) {
  const auto term = static_cast<float>(0.0999755859375);
  float sum = 0;
  for (int i = 0; i < 4096; ++i) sum += term;
  const Stage stage = lab_with(number_formats_scene, 7);
  EXPECT_EQ(fact_text(stage, "Sum in FP32"), real_text(static_cast<double>(sum), 9));
  EXPECT_EQ(fact_text(stage, "Sum in FP16"), "256");  // the spacing there is 0.25, and half of it is more than 0.1
  EXPECT_EQ(fact_text(lab_with(number_formats_scene, 7, {{"term", 1000}}), "Sum in FP16"), "2048");
  EXPECT_EQ(fact_text(lab_with(number_formats_scene, 7, {{"term", 1000}}), "Sum in BF16"), "256");
}

TEST(NumberFormatsLab, GradientsAreLostBelowHalfTheSmallestNumber) {
  for (const int scale : {0, 8, 15, 24, 32}) {
    int zeros = 0, infinities = 0;
    for (int i = 0; i < 256; ++i) {
      const double scaled = std::exp2(-36 + 24.0 * i / 255 + scale);
      zeros += scaled <= std::exp2(-25);
      infinities += scaled >= 65520;
    }
    const Stage stage = lab_with(number_formats_scene, 8, {{"scale", scale}});
    EXPECT_EQ(fact_text(stage, "Gradients that become zero"), fmt::to_string(zeros)) << scale;
    EXPECT_EQ(fact_text(stage, "Gradients that become infinite"), fmt::to_string(infinities)) << scale;
  }
}

TEST(NumberFormatsLab, SmallBlocksKeepAnOutlierToThemselves) {
  const auto error = [](double format, double outlier) {
    return std::stod(fact_text(lab_with(number_formats_scene, 5, {{"scaled", format}, {"outlier", outlier}}),
                               "Error, root mean square"));
  };
  EXPECT_LT(error(2, 1), error(6, 1)) << "INT8 has twice the bits";
  EXPECT_GT(error(2, 256), 0.1);
  EXPECT_EQ(fact_text(lab_with(number_formats_scene, 5, {{"scaled", 6}}), "Bits per element"),
            "4.5");  // (64 x 4 + 4 x 8) / 64; the FP32 scale is one for the tensor
  EXPECT_EQ(fact_text(lab_with(number_formats_scene, 5, {{"scaled", 5}}), "Bits per element"), "4.25");
  EXPECT_EQ(fact_text(lab_with(number_formats_scene, 5, {{"scaled", 6}}), "Scales"), "4");
}

TEST(NumberFormatsLab, TasksAreDoneByTheirSettings) {
  EXPECT_EQ(tasks_done(number_formats_scene, {}), "------");
  EXPECT_EQ(tasks_done(number_formats_scene, {{"format", e4m3}, {"digits", 448}, {"power", 0}}), "x-----");
  EXPECT_EQ(tasks_done(number_formats_scene, {{"power", -6}}), "-x----");
  EXPECT_EQ(tasks_done(number_formats_scene, {{"digits", 2}, {"power", 0}}), "---x--");
  EXPECT_EQ(tasks_done(number_formats_scene, {{"scale", 15}}), "-----x");
  EXPECT_EQ(tasks_done(number_formats_scene, {{"outlier", 256}})[4], 'x');
}

}  // namespace
}  // namespace warpwalk::story::testing
