// The lab of two receipts: its sums, its words, and what it says where there is nothing to compare.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/facts/launch/receipt.h"
#include "core/story/pictures/panels.h"
#include "core/story/scene_list.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

Stage receipts_stage(const Trace& trace, const Walk& walk, std::optional<double> other = {}) {
  const Hardware hardware;
  Controls controls;
  if (other) controls.set("lab/receipts.other", *other);
  return find_scene("lab/receipts")->stage({trace, walk, english(), hardware, {Moment::Kind::beat, 1, 1}, controls});
}

// A launch of 5 µs, 10 µs after its op begins; the kernel runs from 30 to 70 µs.
SmallTrace two_equal() {
  return SmallTrace()
      .h200()
      .op("aten::relu", 0, 40)
      .call("cudaLaunchKernel", 10, 5, 1)
      .kernel("k", 30, 40, 1)
      .op("aten::relu", 100, 40)
      .call("cudaLaunchKernel", 110, 5, 2)
      .kernel("k", 130, 40, 2);
}

TEST(ReceiptsLab, EqualLaunchesAreSaidToBeEqual) {
  const Trace trace = two_equal().read();
  const Stage stage = receipts_stage(trace, *follow(trace, "kernel:0"));
  EXPECT_EQ(stage.title, "k 0 and k 1 take equally long");
}

TEST(ReceiptsLab, SaysWhichPartDiffersMostAndInWhichDirection) {
  const Trace trace = SmallTrace()
                          .h200()
                          .op("aten::relu", 0, 40)
                          .call("cudaLaunchKernel", 10, 5, 1)
                          .kernel("k", 30, 40, 1)
                          .op("aten::relu", 100, 400)
                          .call("cudaLaunchKernel", 350, 5, 2)
                          .kernel("k", 370, 50, 2)
                          .read();
  const Stage longer = receipts_stage(trace, *follow(trace, "kernel:0"));
  EXPECT_THAT(longer.title, ::testing::HasSubstr("k 1 takes 250.0 µs longer"));
  EXPECT_THAT(longer.sentence, ::testing::HasSubstr("240.0 µs more"));
  const Stage shorter = receipts_stage(trace, *follow(trace, "kernel:1"));
  EXPECT_THAT(shorter.title, ::testing::HasSubstr("k 0 takes 250.0 µs less"));
  EXPECT_THAT(shorter.sentence, ::testing::HasSubstr("240.0 µs less"));
  // The line that differs most is marked.
  const TablePicture& table = panel_picture<TablePicture>(longer, 1);
  ASSERT_EQ(table.rows.size(), 5u);
  EXPECT_TRUE(table.rows[0].followed);
  EXPECT_EQ(table.rows[0].cells[1].shown(), "10.0 µs");
  EXPECT_EQ(table.rows[0].cells[3].shown(), "250.0 µs");
}

TEST(ReceiptsLab, WithoutASecondReceiptItSaysWhy) {
  const Trace alone =
      SmallTrace().h200().op("aten::relu", 0, 40).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 30, 40, 1).read();
  EXPECT_EQ(receipts_stage(alone, default_walk(alone)).title, "There is only one kernel");
  const Trace unknown = SmallTrace()
                            .h200()
                            .op("aten::relu", 0, 40)
                            .call("cudaLaunchKernel", 10, 5, 1)
                            .kernel("k", 30, 40, 1)
                            .kernel("m", 80, 40, 9)
                            .read();
  EXPECT_EQ(receipts_stage(unknown, *follow(unknown, "kernel:0")).title, "m 1 has no receipt");
}

// In every walk and for every pair of kernels: the parts add up to the total, and both totals are those of the map.
TEST(ReceiptsLab, PartsAddUpForAnyPair) {
  for (const std::string_view name : {"mlp_train", "two_streams", "h200_cuda_graph"}) {
    const Trace& trace = sample(name);
    const std::size_t kernels = trace.kernel_order.size(), step = std::max<std::size_t>(1, kernels / 7);
    for (std::size_t own = 0; own < kernels; own += step)
      for (std::size_t other = 0; other < kernels; other += step) {
        const Walk walk = *follow(trace, "kernel:" + std::to_string(own));
        const Stage stage = receipts_stage(trace, walk, static_cast<double>(other));
        const Panels& panels = *std::get<std::shared_ptr<const Panels>>(stage.picture);
        if (panels.rows.empty()) continue;
        const TablePicture& table = panel_picture<TablePicture>(stage, 1);
        for (const std::size_t column : {1u, 3u}) {
          double sum = 0;
          for (std::size_t row = 0; row + 1 < table.rows.size(); ++row)
            if (const auto& figure = table.rows[row].cells[column].figure) sum += figure->value();
          EXPECT_NEAR(sum, table.rows.back().cells[column].figure->value(), 1e-6) << name << " " << own << " " << other;
        }
        const Walk second = *follow(trace, "kernel:" + std::to_string(other));
        const Hardware hardware;
        const Scene& map = *find_scene("map");
        for (const auto& [followed, column] : {std::pair(&walk, 1u), std::pair(&second, 3u)}) {
          const std::vector<Beat> beats = map.beats(trace, *followed);
          for (std::size_t b = 0; b < beats.size(); ++b) {
            if (beats[b].key != "total") continue;
            const Stage whole = map.stage(
                {trace, *followed, english(), hardware, {Moment::Kind::beat, static_cast<std::int64_t>(b) + 1, 1}});
            const std::string total = table.rows.back().cells[column].shown();
            EXPECT_THAT(whole.title + whole.sentence, ::testing::HasSubstr(total));
          }
        }
      }
  }
}

}  // namespace
}  // namespace warpwalk::story::testing
