// What to change first, and how much it can save: of a small program, by hand.
#include "core/analysis/time/advice.h"

#include <string>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/words/advice_text.h"
#include "tests/analysis/assets.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::analysis {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// 300 µs of Python, a launch, 100 µs of a kernel that the CPU waits for, 50 µs of Python, and so on again.
trace::Trace prepared_and_waited() {
  return SmallTrace()
      .frame("train.py(3): step", 0, 1000)
      .frame("data.py(12): normalize", 0, 300)
      .call("cudaLaunchKernel", 300, 5, 1)
      .kernel("gemm", 310, 100, 1)
      .call("cudaDeviceSynchronize", 306, 106, 2)
      .call("cudaLaunchKernel", 462, 5, 3)
      .kernel("relu", 470, 60, 3)
      .call("cudaDeviceSynchronize", 468, 63, 4)
      .read();
}

std::vector<Advice> advice_for(const trace::Trace& trace) {
  const PathFinder paths(trace);
  const CodePlaces places(trace);
  AdviceSums sums(trace, places);
  sums.add(paths.whole());
  for (const IdleReport& report : idle_reports(trace, paths)) sums.add(report.parts);
  return sums.first(10);
}

TEST(Advice, ThatCanSaveTheMostComesFirst) {
  const trace::Trace trace = prepared_and_waited();
  std::string text;
  for (const Advice& one : advice_for(trace))
    text += fmt::format("{} {} {:.0f}\n", name_of(one.kind), one.line.empty() ? one.name : one.line,
                        static_cast<double>(one.at_most) / 1e3);
  // The step's own Python: 469 µs after the last wait and 50 before the second launch. Without the first wait, the GPU
  // would have had the second kernel 52 µs earlier: 2 until the call returned, 50 until the launch.
  EXPECT_EQ(text,
            "host train.py(3): step 519\n"
            "host data.py(12): normalize 300\n"
            "kernel train.py(3): step 100\n"
            "kernel train.py(3): step 60\n"
            "synchronise train.py(3): step 52\n"
            "launch train.py(3): step 18\n");
}

// Three ops on as many elements, a product between them and two more, which are on other elements.
TEST(Advice, OfKernelsThatCanBeFusedLeavesOneThatReadsAndWritesOnce) {
  SmallTrace made;
  int id = 0;
  const auto launch = [&](std::string_view op, std::string_view kernel, double at, double duration, int elements) {
    ++id;
    made.op(op, 10 * id, 8, fmt::format(R"("Input Dims": [[{0}], [{0}]], "Input type": ["float", "float"])", elements))
        .call("cudaLaunchKernel", 10 * id + 2, 4, id)
        .kernel(kernel, at, duration, id);
  };
  launch("aten::relu", "vectorized_elementwise_kernel", 100, 100, 1 << 20);
  launch("aten::add", "vectorized_elementwise_kernel_add", 200, 90, 1 << 20);  // reads two, so 60 µs if it read one
  launch("aten::relu", "vectorized_elementwise_kernel", 290, 100, 1 << 20);
  launch("aten::mm", "gemm", 390, 50, 1 << 10);
  launch("aten::relu", "vectorized_elementwise_kernel", 440, 30, 1 << 18);
  launch("aten::relu", "vectorized_elementwise_kernel", 470, 30, 1 << 19);
  made.call("cudaDeviceSynchronize", 80, 421, 90);
  const trace::Trace trace = made.read();
  std::int64_t fused = 0;
  for (const Advice& one : advice_for(trace))
    if (one.kind == AdviceKind::fuse) fused += one.at_most;
  EXPECT_EQ(fused, 100'000 + 90'000 + 100'000 - 60'000);
}

TEST(Advice, IsNoneForWhatTakesNoTime) {
  EXPECT_TRUE(advice_for(SmallTrace().read()).empty());
  for (const Advice& one : advice_for(prepared_and_waited())) EXPECT_GE(one.at_most, 9'000) << "a hundredth of 1 ms";
}

TEST(Advice, EachKindHasItsWords) {
  for (std::size_t kind = 0; kind < advice_kinds; ++kind) {
    Advice advice;
    advice.kind = static_cast<AdviceKind>(kind);
    for (const char* line : {"", "train.py(3): step"}) {
      advice.line = line;
      const words::AdviceText text = words::advice_text(english(), advice, 1'000'000);
      for (const std::string& one : {text.what, text.action, text.unless, text.basis})
        EXPECT_THAT(one, Not(HasSubstr("(no "))) << name_of(advice.kind);
    }
  }
}

}  // namespace
}  // namespace warpwalk::analysis
