// Sentences that would be untrue of what the trace holds.
#include <array>
#include <regex>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/story/facts/receipt.h"
#include "core/story/facts/rows.h"
#include "core/story/transcript.h"
#include "tests/story/crafted.h"
#include "tests/story/small_trace.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

// Every sentence of the walk, titles too.
std::string said(const Trace& trace, const Walk& walk) {
  std::string text;
  for_each_beat(trace, walk, english(),
                [&](const Scene&, const Stage& stage) { text += stage.title + "\n" + stage.sentence + "\n"; });
  return text;
}

std::string said(std::string_view name) {
  for (const Crafted& made : crafted())
    if (made.name == name) return said(made.trace, made.walk);
  ADD_FAILURE() << "no crafted trace is named " << name;
  return {};
}

TEST(Statements, NoTimeIsNegative) {
  const auto check = [](const std::string& what, const Trace& trace, const Walk& walk) {
    for_each_beat(trace, walk, english(), [&](const Scene& scene, const Stage& stage) {
      EXPECT_EQ((stage.title + stage.sentence).find("\u2212"), std::string::npos)
          << what << ", " << scene.name << " b" << stage.beat << ": " << stage.sentence;
      for (const Fact& fact : stage.facts)
        EXPECT_TRUE(fact.figure.unit() != Unit::nanoseconds || fact.figure.value() >= 0)
            << what << ", " << scene.name << ": " << fact.label;
    });
  };
  for (const Crafted& made : crafted()) check(made.name, made.trace, made.walk);
  for (const std::string_view name : sample_names)
    for_each_walk(sample(name), [&](const std::string& what, const Walk& walk) {
      check(fmt::format("{} {}", name, what), sample(name), walk);
    });
}

TEST(Statements, WithClocksThatDifferNoTimeBetweenThemIsTold) {
  const std::string text = said("clocks that differ");
  EXPECT_EQ(text.find("before the GPU is done"), std::string::npos) << text;
  EXPECT_EQ(text.find("after the call began"), std::string::npos) << text;
}

TEST(Statements, ACopyIsNoArithmetic) {
  const std::string text = said("a copy");
  for (const std::string_view untrue : {"arithmetic", "how many blocks"})
    EXPECT_EQ(text.find(untrue), std::string::npos) << untrue << "\n" << text;
}

TEST(Statements, AFillIsNoCopy) {
  const std::string text = said("a fill");
  for (const std::string_view untrue : {"from where", "copy engine", "arithmetic"})
    EXPECT_EQ(text.find(untrue), std::string::npos) << untrue << "\n" << text;
}

TEST(Statements, AnOpWithoutAFrameIsNotSaidToBeAskedForByPython) {
  // The engine of autograd calls the backward's ops from a thread of its own.
  const Trace& trace = sample("mlp_train");
  std::size_t found = 0;
  for (const SliceId op : trace.op_order) {
    if (!trace.name(op).starts_with("autograd::engine::evaluate_function")) continue;
    const Walk walk = follow_op(trace, op);
    if (!walk.frames.empty() || walk.ops.empty()) continue;
    ++found;
    EXPECT_EQ(said(trace, walk).find("Python asks for"), std::string::npos) << trace.name(op);
    EXPECT_EQ(said(trace, walk).find("the line of Python"), std::string::npos) << trace.name(op);
  }
  EXPECT_GT(found, 10u);
}

TEST(Statements, AnOpThatOrdersNothingIsNotSaidToBeOrdered) {
  // The op after the launch is a view: it stays on the CPU.
  const Trace trace = SmallTrace()
                          .op("aten::relu", 0, 20)
                          .call("cudaLaunchKernel", 10, 5, 1)
                          .kernel("k", 20, 100, 1)
                          .op("aten::view", 30, 4)
                          .read();
  EXPECT_EQ(said(trace, default_walk(trace)).find("orders the next op behind this one"), std::string::npos)
      << said(trace, default_walk(trace));
}

// Launches on the walk's thread that start in [from, to).
std::size_t launches_between(const Trace& trace, const Walk& walk, std::int64_t from, std::int64_t to) {
  std::size_t launches = 0;
  for (const auto& [launch, work] : trace.launched)
    launches += trace.slices.track[launch] == trace.slices.track[walk.launch] && launch != walk.launch &&
                trace.slices.start[launch] >= from && trace.slices.start[launch] < to;
  return launches;
}

TEST(Statements, WhatIsFollowedIsNotAlwaysTheFirstThatItsOpLaunches) {
  // aten::linear fills a buffer and starts a small kernel before the long one.
  std::size_t wrong = 0, walks = 0;
  std::string first;
  for (const std::string_view name : sample_names)
    for_each_walk(sample(name), [&](const std::string& what, const Walk& walk) {
      const std::optional<Receipt> receipt = receipt_of(sample(name), walk);
      if (!receipt || launches_between(sample(name), walk, receipt->op_start, receipt->launch_start) == 0) return;
      ++walks;
      const std::string text = said(sample(name), walk);
      for (const std::string_view untrue : {"pass before anything is launched", "The GPU does nothing for this op yet"})
        if (text.find(untrue) != std::string::npos && wrong++ == 0)
          first = fmt::format("{} {}: {}", name, what, untrue);
    });
  EXPECT_GT(walks, 10u);
  EXPECT_EQ(wrong, 0u) << "the first: " << first;
}

TEST(Statements, AThreadThatLaunchesMoreIsNotSaidToBeIdle) {
  std::size_t wrong = 0, walks = 0;
  std::string first;
  for (const std::string_view name : sample_names)
    for_each_walk(sample(name), [&](const std::string& what, const Walk& walk) {
      const std::optional<Receipt> receipt = receipt_of(sample(name), walk);
      if (!receipt || launches_between(sample(name), walk, receipt->launch_end, receipt->kernel_end) == 0) return;
      ++walks;
      if (said(sample(name), walk).find("orders nothing more") != std::string::npos && wrong++ == 0)
        first = fmt::format("{} {}", name, what);
    });
  EXPECT_GT(walks, 10u);
  EXPECT_EQ(wrong, 0u) << "the first: " << first;
}

TEST(Statements, WhatIsFasterThanItsWayIsSaidToBeSo) {
  const auto check = [](const std::string& what, const Trace& trace, const Walk& walk) {
    const std::optional<Receipt> receipt = receipt_of(trace, walk);
    if (!receipt || receipt->skewed()) return;
    const std::string text = said(trace, walk);
    const bool way_is_longer = receipt->total() - receipt->kernel() > receipt->kernel();
    EXPECT_EQ(text.find("the way is longer than the work") != std::string::npos, way_is_longer) << what;
    const bool early = receipt->kernel_start < receipt->launch_end;
    EXPECT_EQ(text.find("before the launch call had even returned") != std::string::npos, early) << what;
    const bool done_first = receipt->kernel_end <= receipt->launch_end;
    EXPECT_EQ(text.find("The GPU is done before the call returns") != std::string::npos, done_first) << what;
  };
  for (const Crafted& made : crafted()) check(made.name, made.trace, made.walk);
  for (const std::string_view name : sample_names)
    for_each_walk(sample(name), [&](const std::string& what, const Walk& walk) {
      check(fmt::format("{} {}", name, what), sample(name), walk);
    });
}

TEST(Statements, OneIsNotCountedAsSeveral) {
  std::size_t walks = 0;
  const std::regex several("\\b(1|one) (blocks|SMs|warps|threads|ops|waves|pieces)\\b(?! \u00d7)");
  const auto check = [&](const std::string& what, const Trace& trace, const Walk& walk) {
    const trace::KernelDetail* const kernel = kernel_detail(trace, walk);
    if (kernel == nullptr || kernel->grid != std::array<std::int32_t, 3>{1, 1, 1}) return;
    ++walks;
    for_each_beat(trace, walk, english(), [&](const Scene& scene, const Stage& stage) {
      std::smatch found;
      const std::string words = transcript(stage);
      EXPECT_FALSE(std::regex_search(words, found, several))
          << what << ", " << scene.name << " b" << stage.beat << ": " << found.str();
      for (const std::string_view untrue : {"All run side by side", "each of the others gets one"})
        EXPECT_EQ(words.find(untrue), std::string::npos) << what << ": " << untrue;
    });
  };
  for (const Crafted& made : crafted()) check(made.name, made.trace, made.walk);
  for_each_walk(sample("mlp_train"),
                [&](const std::string& what, const Walk& walk) { check(what, sample("mlp_train"), walk); });
  EXPECT_GT(walks, 10u);
}

TEST(Statements, WhereNoGpuWorkIsOnRecordTheOpIsNotSaidToHaveOrderedNone) {
  // A profile without ProfilerActivity.CUDA looks the same as an op over CPU tensors.
  const Trace trace = SmallTrace().op("aten::relu", 0, 100).read();
  const std::string text = said(trace, default_walk(trace));
  for (const std::string_view untrue : {"never left the CPU", "ordered no work", "orders nothing"})
    EXPECT_EQ(text.find(untrue), std::string::npos) << untrue << "\n" << text;
}

TEST(Statements, AnOpThatOrdersACopyIsNotSaidToKnowAKernel) {
  for (const SliceId op : sample("mlp_train").op_order) {
    const Walk walk = follow_op(sample("mlp_train"), op);
    if (walk.kernel == no_slice || walk.ops.size() < 2 || kernel_detail(sample("mlp_train"), walk) != nullptr) continue;
    EXPECT_EQ(said(sample("mlp_train"), walk).find("which knows the kernel"), std::string::npos);
  }
}

TEST(Statements, NeighboursThatAreDrawnAsOneAreCountedInEnglish) {
  SmallTrace busy;
  busy.op("aten::relu", 0, 1000).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 20, 900, 1);
  for (int i = 0; i < 20; ++i) busy.copy("Memcpy DtoD", 930 + 0.01 * i, 0.005, 0);
  const Trace trace = busy.read();
  const std::vector<Bar> bars = bars_of(trace, trace.slices.track[default_walk(trace).kernel], trace.begin_ns,
                                        trace.end_ns + 1, 1000, {}, [](SliceId) { return true; });
  ASSERT_EQ(bars.size(), 2u);
  EXPECT_EQ(bars[1].label, "20 copies");
}

}  // namespace
}  // namespace warpwalk::story::testing
