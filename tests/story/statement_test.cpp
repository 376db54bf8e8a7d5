// Tests against sentences that contradict the trace.
#include <array>
#include <regex>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/story/facts/launch/receipt.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/launch/picture.h"
#include "core/story/transcript.h"
#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

// Every sentence of the walk, titles too.
std::string summary(const Trace& trace, const Walk& walk) {
  std::string text;
  for_each_beat(
      trace, walk, english(),
      [&](const Scene&, const Stage& stage) { text += stage.title + "\n" + stage.sentence + "\n"; }, {}, {}, {},
      is_of_the_walk);
  return text;
}

std::string summary(std::string_view name) {
  for (const Crafted& made : crafted())
    if (made.name == name) return summary(made.trace, made.walk);
  ADD_FAILURE() << "no crafted trace is named " << name;
  return {};
}

TEST(Statements, NoTimeIsNegative) {
  std::size_t walks = 0;
  const auto check = [&](const std::string& what, const Trace& trace, const Walk& walk) {
    const bool labs_too = walks++ % labs_stride == 0;
    for_each_beat(
        trace, walk, english(),
        [&](const Scene& scene, const Stage& stage) {
          EXPECT_THAT(stage.title + stage.sentence, ::testing::Not(::testing::HasSubstr("\u2212")))
              << what << ", " << scene.name << " b" << stage.beat << ": " << stage.sentence;
          for (const Fact& fact : stage.facts)
            EXPECT_TRUE(fact.figure.unit() != Unit::nanoseconds || fact.figure.value() >= 0)
                << what << ", " << scene.name << ": " << fact.label;
        },
        {}, {}, {}, [&](const Scene& scene) { return labs_too || is_of_the_walk(scene); });
  };
  for (const Crafted& made : crafted()) check(made.name, made.trace, made.walk);
  for (const std::string_view name : sample_names)
    for_each_walk(sample(name), [&](const std::string& what, const Walk& walk) {
      check(fmt::format("{} {}", name, what), sample(name), walk);
    });
}

TEST(Statements, WithClocksThatDifferNoTimeBetweenThemIsTold) {
  const std::string text = summary("clocks that differ");
  for (const std::string_view untrue : {"before the GPU is done", "after the call began", "after the call returned"})
    EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr(untrue)));
}

TEST(Statements, NothingIsSaidToRunThatDoesNotRun) {
  const auto check = [](const std::string& what, const Trace& trace, const Walk& walk) {
    const std::optional<Receipt> receipt = receipt_of(trace, walk);
    if (!receipt || receipt->skewed()) return;
    const std::string text = summary(trace, walk);
    // Closer moments cannot be distinguished, because the clocks of CPU and GPU are matched only approximately.
    const bool apart = std::abs(receipt->kernel_start - receipt->launch_end) >= clock_accuracy;
    const bool runs = apart && receipt->kernel_start < receipt->launch_end && receipt->kernel_end > receipt->launch_end;
    EXPECT_EQ(text.find("while the GPU works") != std::string::npos, runs) << what << "\n" << text;
    EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("the GPU still works"))) << what;
    EXPECT_EQ(text.find("before the GPU begins") != std::string::npos,
              apart && receipt->kernel_start >= receipt->launch_end)
        << what;
  };
  for (const Crafted& made : crafted()) check(made.name, made.trace, made.walk);
  for (const std::string_view name : sample_names)
    for_each_walk(sample(name), [&](const std::string& what, const Walk& walk) {
      check(fmt::format("{} {}", name, what), sample(name), walk);
    });
}

TEST(Statements, AGraphsLaunchIsSharedAmongItsNodes) {
  const std::string text = summary("a CUDA graph of four nodes");
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("which kernel, how many blocks")));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("It says how many")));
  EXPECT_THAT(text, ::testing::HasSubstr("starts 4 graph nodes"));
  EXPECT_THAT(text, ::testing::HasSubstr("an equal share: 75.0 µs"));  // 300 us for four
  const Crafted* graph = nullptr;
  for (const Crafted& made : crafted())
    if (made.name == "one of two CUDA graphs") graph = &made;
  ASSERT_NE(graph, nullptr);
  for_each_beat(graph->trace, graph->walk, english(), [&](const Scene& scene, const Stage& stage) {
    if (scene.name != "boardroom" || stage.beat != 3) return;
    // The third launch is that of another graph.
    EXPECT_THAT(transcript(stage), ::testing::HasSubstr("Other launches of this graph: 8.0 µs [derived"));
  });
}

TEST(Statements, ACopyIsNoArithmetic) {
  const std::string text = summary("a copy");
  for (const std::string_view untrue : {"arithmetic", "how many blocks"})
    EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr(untrue)));
}

TEST(Statements, AFillIsNoCopy) {
  const std::string text = summary("a fill");
  for (const std::string_view untrue : {"from where", "copy engine", "arithmetic"})
    EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr(untrue)));
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
    EXPECT_THAT(summary(trace, walk), ::testing::Not(::testing::HasSubstr("Python calls the op"))) << trace.name(op);
    EXPECT_THAT(summary(trace, walk), ::testing::Not(::testing::HasSubstr("the line of Python"))) << trace.name(op);
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
  EXPECT_THAT(summary(trace, default_walk(trace)),
              ::testing::Not(::testing::HasSubstr("queues the next op behind this one")));
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
      const std::string text = summary(sample(name), walk);
      for (const std::string_view untrue : {"pass before anything is launched", "The GPU does nothing for this op yet"})
        if (text.find(untrue) != std::string::npos && wrong++ == 0)
          first = fmt::format("{} {}: {}", name, what, untrue);
    });
  EXPECT_GT(walks, 10u / walk_stride);
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
      if (summary(sample(name), walk).find("orders nothing more") != std::string::npos && wrong++ == 0)
        first = fmt::format("{} {}", name, what);
    });
  EXPECT_GT(walks, 10u / walk_stride);
  EXPECT_EQ(wrong, 0u) << "the first: " << first;
}

TEST(Statements, WhatIsFasterThanItsWayIsSaidToBeSo) {
  const auto check = [](const std::string& what, const Trace& trace, const Walk& walk) {
    const std::optional<Receipt> receipt = receipt_of(trace, walk);
    if (!receipt || receipt->skewed()) return;
    const std::string text = summary(trace, walk);
    // The profiler's own work must not affect the statement about the kernel's share.
    EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("the way is longer than the work"))) << what;
    const bool profiled = receipt->overhead > receipt->total() / 20 && 2 * receipt->kernel() < receipt->total();
    const bool graph = text.find("The launch is paid once for") != std::string::npos;
    EXPECT_EQ(text.find("without the profiler it is") != std::string::npos ||
                  text.find("without the profiler ") != std::string::npos ||
                  text.find("Without it, most of the time is the kernel") != std::string::npos ||
                  text.find("without it, most of the time is the work") != std::string::npos,
              profiled && !graph)
        << what << "\n"
        << text;
    if (profiled && !graph) {
      const bool kernel = 2 * receipt->kernel() >= receipt->total() - receipt->overhead;
      EXPECT_EQ(text.find("ithout it, most of the time is the") != std::string::npos, kernel) << what;
      EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("The GPU works for only"))) << what;
    }
    const bool early = receipt->kernel_start < receipt->launch_end;
    EXPECT_EQ(text.find("The GPU began before the launch call returned") != std::string::npos, early) << what;
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
    const bool labs_too = walks++ % labs_stride == 0;
    for_each_beat(
        trace, walk, english(),
        [&](const Scene& scene, const Stage& stage) {
          std::smatch found;
          const std::string words = transcript(stage);
          EXPECT_FALSE(std::regex_search(words, found, several))
              << what << ", " << scene.name << " b" << stage.beat << ": " << found.str();
          for (const std::string_view untrue : {"All run side by side", "each of the others gets one"})
            EXPECT_THAT(words, ::testing::Not(::testing::HasSubstr(untrue))) << what;
        },
        {}, {}, {}, [&](const Scene& scene) { return labs_too || is_of_the_walk(scene); });
  };
  for (const Crafted& made : crafted()) check(made.name, made.trace, made.walk);
  for_each_walk(sample("mlp_train"),
                [&](const std::string& what, const Walk& walk) { check(what, sample("mlp_train"), walk); });
  EXPECT_GT(walks, 10u / walk_stride);
}

TEST(Statements, WhereNoGpuWorkIsOnRecordTheOpIsNotSaidToHaveOrderedNone) {
  // A profile without ProfilerActivity.CUDA looks the same as an op over CPU tensors.
  const Trace trace = SmallTrace().op("aten::relu", 0, 100).read();
  const std::string text = summary(trace, default_walk(trace));
  for (const std::string_view untrue : {"never left the CPU", "ordered no work", "orders nothing"})
    EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr(untrue)));
}

TEST(Statements, AnOpThatOrdersACopyIsNotSaidToKnowAKernel) {
  for (const SliceId op : sample("mlp_train").op_order) {
    const Walk walk = follow_op(sample("mlp_train"), op);
    if (walk.kernel == no_slice || walk.ops.size() < 2 || kernel_detail(sample("mlp_train"), walk) != nullptr) continue;
    EXPECT_THAT(summary(sample("mlp_train"), walk), ::testing::Not(::testing::HasSubstr("chooses the kernel")));
  }
}

TEST(Statements, NeighboursThatAreDrawnAsOneAreCountedInEnglish) {
  SmallTrace busy;
  busy.op("aten::relu", 0, 1000).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 20, 900, 1);
  for (int i = 0; i < 20; ++i) busy.copy("Memcpy DtoD", 930 + 0.01 * i, 0.005, 0);
  const Trace trace = busy.read();
  const std::vector<Bar> bars = bars_of(english(), trace, trace.slices.track[default_walk(trace).kernel],
                                        trace.begin_ns, trace.end_ns + 1, 1000, {}, [](SliceId) { return true; });
  ASSERT_EQ(bars.size(), 2u);
  EXPECT_EQ(bars[1].label, "20 copies");
}

TEST(Statements, AFillIsNotDrawnAsACopy) {
  SmallTrace busy;
  busy.op("aten::relu", 0, 1000).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 20, 900, 1);
  for (int i = 0; i < 20; ++i) busy.fill(930 + 0.01 * i, 0.005, 0);
  const Trace trace = busy.read();
  const std::vector<Bar> bars = bars_of(english(), trace, trace.slices.track[default_walk(trace).kernel],
                                        trace.begin_ns, trace.end_ns + 1, 1000, {}, [](SliceId) { return true; });
  ASSERT_EQ(bars.size(), 2u);
  EXPECT_EQ(bars[1].label, "20 fills");
  EXPECT_EQ(bars[1].role, Role::fill);
}

TEST(Statements, ABarThatTheAxisCutsNamesItsWholeTime) {
  // The kernel takes 1 ms, and the stream's picture shows only the first part.
  const Trace trace =
      SmallTrace().op("aten::relu", 0, 30).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 20, 1000, 1).read();
  for_each_beat(trace, default_walk(trace), english(), [&](const Scene& scene, const Stage& stage) {
    if (scene.name != "launch" || stage.beat != 1) return;
    EXPECT_THAT(transcript(stage), ::testing::HasSubstr("1,000.0 µs in all: k"));
  });
  std::size_t cut = 0;
  const auto check = [&](const TimelinePicture& picture) {
    for (const RowGroup& group : picture.groups)
      for (const Row& row : group.rows)
        for (const Bar& bar : row.bars) {
          const bool whole =
              static_cast<double>(bar.start) >= picture.from && static_cast<double>(bar.end) <= picture.to;
          cut += !whole;
          EXPECT_EQ(bar.label.find(" in all") != std::string::npos, !whole && !picture.untimed) << bar.label;
        }
  };
  for_each_walk(sample("two_streams"), [&](const std::string&, const Walk& walk) {
    for_each_beat(
        sample("two_streams"), walk, english(),
        [&](const Scene&, const Stage& stage) {
          if (const auto* timeline = std::get_if<TimelinePicture>(&stage.picture)) check(*timeline);
          if (const auto* launch = std::get_if<std::shared_ptr<const LaunchPicture>>(&stage.picture))
            check((*launch)->way.time);
        },
        {}, {}, {}, is_of_the_walk);
  });
  EXPECT_GT(cut, 100u / walk_stride);
}

}  // namespace
}  // namespace warpwalk::story::testing
