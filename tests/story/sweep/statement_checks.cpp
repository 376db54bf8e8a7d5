// Sentences that contradict the trace.
#include <array>
#include <cctype>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/story/facts/launch/receipt.h"
#include "core/story/facts/words/rows.h"
#include "tests/story/sweep/sweep.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

class NoTimeIsNegative : public SweepCheck {
 public:
  NoTimeIsNegative() : SweepCheck("no time is negative") {}
  void look_at(const SweptStage& at) override {
    EXPECT_EQ((at.stage.title + at.stage.sentence).find("\u2212"), std::string::npos)
        << at.where() << ": " << at.stage.title << "\n"
        << at.stage.sentence;
    for (const Fact& fact : at.stage.facts)
      EXPECT_TRUE(fact.figure.unit() != Unit::nanoseconds || fact.figure.value() >= 0)
          << at.where() << ": " << fact.label;
  }
};

class NothingIsSaidToRunThatDoesNotRun : public SweepCheck {
 public:
  NothingIsSaidToRunThatDoesNotRun() : SweepCheck("nothing is said to run that does not run") {}
  void look_at(const SweptWalk& swept) override {
    const std::optional<Receipt> receipt = receipt_of(swept.trace, swept.walk);
    if (!receipt || receipt->skewed()) return;
    // Closer moments cannot be distinguished, because the clocks of CPU and GPU are matched only approximately.
    const bool apart = std::abs(receipt->kernel_start - receipt->launch_end) >= clock_accuracy;
    const bool runs = apart && receipt->kernel_start < receipt->launch_end && receipt->kernel_end > receipt->launch_end;
    EXPECT_EQ(swept.said.find("while the GPU works") != std::string::npos, runs) << swept.name << "\n" << swept.said;
    EXPECT_THAT(swept.said, ::testing::Not(::testing::HasSubstr("the GPU still works"))) << swept.name;
    EXPECT_EQ(swept.said.find("before the GPU begins") != std::string::npos,
              apart && receipt->kernel_start >= receipt->launch_end)
        << swept.name;
  }
};

class WhatIsFasterThanItsWayIsSaidToBeSo : public SweepCheck {
 public:
  WhatIsFasterThanItsWayIsSaidToBeSo() : SweepCheck("what is faster than its way is said to be so") {}
  void look_at(const SweptWalk& swept) override {
    const std::optional<Receipt> receipt = receipt_of(swept.trace, swept.walk);
    if (!receipt || receipt->skewed()) return;
    const auto says = [&](const char* words) { return swept.said.find(words) != std::string::npos; };
    // The profiler's own work must not affect the statement about the kernel's share.
    EXPECT_FALSE(says("the way is longer than the work")) << swept.name;
    const bool profiled = receipt->overhead > receipt->total() / 20 && 2 * receipt->kernel() < receipt->total();
    const bool queued = says("while the GPU worked on what was queued before");
    EXPECT_TRUE(!queued || 2 * receipt->queue() >= receipt->total()) << swept.name;
    const bool other = says("The launch is paid once for") || queued;
    EXPECT_EQ(says("without the profiler it is") || says("without the profiler ") ||
                  says("Without it, most of the time is the kernel") ||
                  says("without it, most of the time is the work"),
              profiled && !other)
        << swept.name << "\n"
        << swept.said;
    if (profiled && !other) {
      const bool kernel = 2 * receipt->kernel() >= receipt->total() - receipt->overhead;
      EXPECT_EQ(says("ithout it, most of the time is the"), kernel) << swept.name;
      EXPECT_FALSE(says("The GPU works on it for only")) << swept.name;
    }
    const bool early = receipt->kernel_start < receipt->launch_end;
    EXPECT_EQ(says("The GPU began before the launch call returned"), early) << swept.name;
    const bool done_first = receipt->kernel_end <= receipt->launch_end;
    EXPECT_EQ(says("The GPU is done before the call returns"), done_first) << swept.name;
  }
};

// Launches on the walk's thread that start in [from, to).
std::size_t launches_between(const SweptWalk& swept, std::int64_t from, std::int64_t to) {
  const Trace& trace = swept.trace;
  std::size_t launches = 0;
  for (const auto& [launch, work] : trace.launched)
    launches += trace.slices.track[launch] == trace.slices.track[swept.walk.launch] && launch != swept.walk.launch &&
                trace.slices.start[launch] >= from && trace.slices.start[launch] < to;
  return launches;
}

/// Looks for words that are untrue of some of the recorded walks.
class UntrueWords : public SweepCheck {
 public:
  UntrueWords(std::string name, std::vector<std::string_view> words, std::size_t least_walks)
      : SweepCheck(std::move(name)), words_(std::move(words)), least_walks_(least_walks) {}
  void look_at(const SweptWalk& swept) override {
    if (swept.sample.empty() || !untrue_of(swept)) return;
    ++walks_;
    for (const std::string_view words : words_)
      EXPECT_EQ(swept.said.find(words), std::string::npos) << swept.name << ": " << words;
  }
  void end() override {
    if (walk_stride == 1) EXPECT_GT(walks_, least_walks_);
  }

 private:
  virtual bool untrue_of(const SweptWalk& swept) const = 0;
  std::vector<std::string_view> words_;
  std::size_t least_walks_, walks_ = 0;
};

// aten::linear fills a buffer and starts a small kernel before the long one.
class WhatIsFollowedIsNotAlwaysTheFirstLaunch : public UntrueWords {
 public:
  WhatIsFollowedIsNotAlwaysTheFirstLaunch()
      : UntrueWords("what is followed is not always the first that its op launches",
                    {"pass before anything is launched", "The GPU does nothing for this op yet"}, 10) {}

 private:
  bool untrue_of(const SweptWalk& swept) const override {
    const std::optional<Receipt> receipt = receipt_of(swept.trace, swept.walk);
    return receipt && launches_between(swept, receipt->op_start, receipt->launch_start) > 0;
  }
};

class AThreadThatLaunchesMoreIsNotIdle : public UntrueWords {
 public:
  AThreadThatLaunchesMoreIsNotIdle()
      : UntrueWords("a thread that launches more is not said to be idle", {"orders nothing more"}, 10) {}

 private:
  bool untrue_of(const SweptWalk& swept) const override {
    const std::optional<Receipt> receipt = receipt_of(swept.trace, swept.walk);
    return receipt && launches_between(swept, receipt->launch_end, receipt->kernel_end) > 0;
  }
};

// The engine of autograd calls the backward's ops from a thread of its own.
class AnOpWithoutAFrameIsNotAskedForByPython : public UntrueWords {
 public:
  AnOpWithoutAFrameIsNotAskedForByPython()
      : UntrueWords("an op without a frame is not said to be asked for by Python",
                    {"Python calls the op", "the line of Python"}, 10) {}

 private:
  bool untrue_of(const SweptWalk& swept) const override {
    return swept.walk.frames.empty() && !swept.walk.ops.empty() &&
           swept.trace.name(swept.walk.op).starts_with("autograd::engine::evaluate_function");
  }
};

class AnOpThatOrdersACopyDoesNotKnowAKernel : public UntrueWords {
 public:
  AnOpThatOrdersACopyDoesNotKnowAKernel()
      : UntrueWords("an op that orders a copy is not said to know a kernel", {"chooses the kernel"}, 0) {}

 private:
  bool untrue_of(const SweptWalk& swept) const override {
    return swept.walk.kernel != no_slice && swept.walk.ops.size() >= 2 &&
           kernel_detail(swept.trace, swept.walk) == nullptr;
  }
};

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The first place where one thing has the plural, "1 blocks" or "one blocks", but not a factor: "1 blocks × 4".
/// Empty if there is none. By hand: a regular expression took a tenth of the time of all stages.
std::string_view one_counted_as_several(std::string_view text) {
  for (const std::string_view things : {" blocks", " SMs", " warps", " threads", " ops", " waves", " pieces"})
    for (std::size_t at = text.find(things); at != std::string_view::npos; at = text.find(things, at + 1)) {
      const std::string_view before = text.substr(0, at), after = text.substr(at + things.size());
      if ((!after.empty() && is_word_character(after.front())) || after.starts_with(" ×")) continue;
      for (const std::string_view one : {"1", "one"})
        if (before.ends_with(one) && (before.size() == one.size() || !is_word_character(before[at - one.size() - 1])))
          return text.substr(at - one.size(), one.size() + things.size());
    }
  return {};
}

class OneIsNotCountedAsSeveral : public SweepCheck {
 public:
  OneIsNotCountedAsSeveral() : SweepCheck("one is not counted as several") {}
  void look_at(const SweptStage& at) override {
    const trace::KernelDetail* const kernel = kernel_detail(at.walk.trace, at.walk.walk);
    if (kernel == nullptr || kernel->grid != std::array<std::int32_t, 3>{1, 1, 1}) return;
    ++stages_;
    const std::string& words = at.text();
    EXPECT_EQ(one_counted_as_several(words), "") << at.where();
    for (const std::string_view untrue : {"All run side by side", "each of the others gets one"})
      EXPECT_EQ(words.find(untrue), std::string::npos) << at.where() << ": " << untrue;
  }
  void end() override { EXPECT_GT(stages_, 500u / walk_stride); }

 private:
  std::size_t stages_ = 0;
};

TEST(OneIsNotCountedAsSeveral, IsFoundAsAWord) {
  EXPECT_EQ(one_counted_as_several("it has 1 blocks."), "1 blocks");
  EXPECT_EQ(one_counted_as_several("one warps"), "one warps");
  for (const std::string_view right : {"11 blocks", "none ops", "1 blocks × 4", "1 block", "1 opsin", "", " ops"})
    EXPECT_EQ(one_counted_as_several(right), "") << right;
}

}  // namespace

SweepChecks statement_checks() {
  SweepChecks checks;
  checks.push_back(std::make_unique<NoTimeIsNegative>());
  checks.push_back(std::make_unique<NothingIsSaidToRunThatDoesNotRun>());
  checks.push_back(std::make_unique<WhatIsFasterThanItsWayIsSaidToBeSo>());
  checks.push_back(std::make_unique<WhatIsFollowedIsNotAlwaysTheFirstLaunch>());
  checks.push_back(std::make_unique<AThreadThatLaunchesMoreIsNotIdle>());
  checks.push_back(std::make_unique<AnOpWithoutAFrameIsNotAskedForByPython>());
  checks.push_back(std::make_unique<AnOpThatOrdersACopyDoesNotKnowAKernel>());
  checks.push_back(std::make_unique<OneIsNotCountedAsSeveral>());
  return checks;
}

}  // namespace warpwalk::story::testing
