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
