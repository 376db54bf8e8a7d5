// Two traces compared by the step: what changed, by how much, why, and whether it is more than chance.
#include "core/analysis/compare/trace_comparison.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/compare/rank_sum.h"
#include "tests/traces/overview_trace.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::analysis {
namespace {

struct ComparedProgram {
  int steps = 8;
  const char* product = "gemm_128x64";
  int relus = 2;
  double factor = 1;  // of all kernels' times
  long slower = 0;    // ns that each step takes longer
  int warm_up = 0;    // products before the first step
  const char* sizes = "[[64, 32], [32, 16]]";
  long spread = 1'000;  // ns between the durations of steps
};

// A product, some relus and a copy in each step.
WorkProfile profile_of(const ComparedProgram& program) {
  OverviewTrace made;
  int id = 0;
  long at = 0;
  const auto launch = [&](const std::string& op, const std::string& kernel, long duration, const std::string& args) {
    const long end = static_cast<long>(static_cast<double>(duration) * program.factor);
    ++id;
    made.op(op, at, at + 20'000, 1, args)
        .call("cudaLaunchKernel", at + 5'000, at + 10'000, id)
        .kernel(kernel, at + 12'000, at + 12'000 + end, id);
    at += 100'000;
  };
  const std::string shapes = fmt::format(R"("Input Dims": {}, "Input type": ["float", "float"])", program.sizes);
  for (int i = 0; i < program.warm_up; ++i) launch("aten::mm", program.product, 60'000, shapes);
  for (int step = 0; step < program.steps; ++step) {
    const long begin = at;
    launch("aten::mm", program.product, 40'000 + 100 * (step % 3), shapes);
    for (int i = 0; i < program.relus; ++i) launch("aten::relu", "relu", 10'000, "");
    launch("aten::add", "add", 20'000 + 50 * (step % 2), "");
    at += program.slower + program.spread * (step * 5 % 8);
    made.range(fmt::format("ProfilerStep#{}", step), begin, at);
    at += 10'000;
  }
  return work_profile(made.read(), "made.json");
}

const ComparedWork& row(const TraceComparison& all, WorkGrouping grouping, std::string_view name) {
  const auto found = std::ranges::find(all.by(grouping), name, &ComparedWork::name);
  static const ComparedWork none;
  EXPECT_NE(found, all.by(grouping).end()) << name;
  return found == all.by(grouping).end() ? none : *found;
}

TEST(TraceComparison, IsByTheStepWhateverTheirNumber) {
  const TraceComparison all = compare_profiles(profile_of({}), profile_of({.steps = 24, .warm_up = 5}));
  EXPECT_TRUE(all.by_step);
  EXPECT_EQ(all.steps, (std::array<std::size_t, 2>{8, 24}));
  EXPECT_EQ(all.outside[0].launches, 0u);
  EXPECT_EQ(all.outside[1].launches, 5u);
  EXPECT_EQ(all.outside[1].time, 300'000);
  EXPECT_EQ(row(all, WorkGrouping::kernel, "gemm_128x64").launches, (std::array<double, 2>{1, 1}));
  EXPECT_EQ(row(all, WorkGrouping::kernel, "relu").time, (std::array<double, 2>{20'000, 20'000}));
  EXPECT_EQ(row(all, WorkGrouping::kernel, "relu").why, ChangeReason::same);
  EXPECT_EQ(all.median_step[0], all.median_step[1]);
  EXPECT_EQ(all.significant(), false);
}

TEST(TraceComparison, OfEachGroupingAddsUpToAllWork) {
  const TraceComparison all = compare_profiles(profile_of({}), profile_of({.relus = 5, .factor = 1.25}));
  for (const auto& rows : all.rows) {
    EXPECT_FALSE(rows.empty());
    for (std::size_t i = 0; i < 2; ++i) {
      double time = 0, launches = 0;
      for (const ComparedWork& one : rows) {
        time += one.time[i];
        launches += one.launches[i];
      }
      EXPECT_NEAR(time, all.time[i], 1e-6 * time);
      EXPECT_NEAR(launches, all.launches[i], 1e-9 * launches);
    }
    EXPECT_TRUE(std::ranges::is_sorted(rows, std::ranges::greater{},
                                       [](const ComparedWork& one) { return std::abs(one.change()); }));
  }
}

TEST(TraceComparison, SaysWhyAKernelChanged) {
  const WorkProfile before = profile_of({});
  const auto why = [&](const ComparedProgram& program, std::string_view kernel) {
    return row(compare_profiles(before, profile_of(program)), WorkGrouping::kernel, kernel).why;
  };
  EXPECT_EQ(why({.relus = 3}, "relu"), ChangeReason::launches);
  EXPECT_EQ(why({.sizes = "[[64, 64], [64, 16]]"}, "gemm_128x64"), ChangeReason::same) << "its time is the same";
  EXPECT_EQ(why({.factor = 1.5, .sizes = "[[64, 64], [64, 16]]"}, "gemm_128x64"), ChangeReason::shapes);
  EXPECT_EQ(why({.product = "gemm_64x64"}, "gemm_64x64"), ChangeReason::replaced);
  EXPECT_EQ(why({.relus = 0}, "relu"), ChangeReason::gone);
  EXPECT_EQ(row(compare_profiles(profile_of({.relus = 0}), before), WorkGrouping::kernel, "relu").why,
            ChangeReason::new_);
  for (const char* kernel : {"gemm_128x64", "relu", "add"})
    EXPECT_EQ(why({.factor = 1.08}, kernel), ChangeReason::clock);
  const TraceComparison slower = compare_profiles(before, profile_of({.factor = 1.08}));
  EXPECT_NEAR(slower.clock.value_or(0), 1.08, 0.001);
  const TraceComparison replaced = compare_profiles(before, profile_of({.product = "gemm_64x64"}));
  EXPECT_EQ(row(replaced, WorkGrouping::kernel, "gemm_64x64").counterpart, "gemm_128x64");
  EXPECT_EQ(row(replaced, WorkGrouping::kernel, "gemm_128x64").counterpart, "gemm_64x64");
  EXPECT_EQ(row(replaced, WorkGrouping::op, "aten::mm").change(), 0);
  EXPECT_EQ(row(compare_profiles(before, profile_of({.factor = 1.5, .sizes = "[[64, 64], [64, 16]]"})),
                WorkGrouping::kernel, "gemm_128x64")
                .shapes[1],
            "64 × 64, 64 × 16");
}

TEST(TraceComparison, TellsAChangeFromTheSpreadOfSteps) {
  const WorkProfile before = profile_of({});
  const TraceComparison slower = compare_profiles(before, profile_of({.slower = 30'000}));
  EXPECT_EQ(slower.significant(), true);
  EXPECT_NEAR(slower.step_median_pct().value_or(0), 100 * 30.0 / 403, 0.1);
  EXPECT_EQ(slower.known_step_median_pct(), slower.step_median_pct());
  const TraceComparison little = compare_profiles(before, profile_of({.slower = 300}));
  EXPECT_EQ(little.significant(), false);
  EXPECT_GT(little.step_median_pct().value_or(0), 0);
  EXPECT_EQ(little.known_step_median_pct(), 0);
  const TraceComparison few = compare_profiles(before, profile_of({.steps = 3, .slower = 30'000}));
  EXPECT_EQ(few.significant(), std::nullopt);
  EXPECT_EQ(few.known_step_median_pct(), few.step_median_pct());
  EXPECT_EQ(row(slower, WorkGrouping::kernel, "relu").significant, false);
  EXPECT_EQ(row(compare_profiles(before, profile_of({.factor = 1.1})), WorkGrouping::kernel, "add").significant, true);
}

TEST(TraceComparison, WithoutStepsInBothComparesAllOfThem) {
  const trace::Trace plain = SmallTrace().call("cudaLaunchKernel", 0, 5, 1).kernel("relu", 10, 7, 1).read();
  const TraceComparison all = compare_profiles(profile_of({.steps = 4, .warm_up = 1}), work_profile(plain));
  EXPECT_FALSE(all.by_step);
  EXPECT_EQ(all.step_median_pct(), std::nullopt);
  EXPECT_EQ(row(all, WorkGrouping::kernel, "relu").time, (std::array<double, 2>{80'000, 7'000}));
  EXPECT_EQ(row(all, WorkGrouping::kernel, "gemm_128x64").launches, (std::array<double, 2>{5, 0}));
  EXPECT_EQ(all.outside[0].launches, 0u) << "nothing is left out";
}

TEST(TraceComparison, OfATraceWithItselfHasNoChange) {
  for (const std::string_view name : sample_names) {
    const WorkProfile profile = work_profile(sample(name));
    const TraceComparison all = compare_profiles(profile, profile);
    for (const auto& rows : all.rows)
      for (const ComparedWork& one : rows) {
        EXPECT_EQ(one.change(), 0) << one.name;
        EXPECT_EQ(one.why, ChangeReason::same) << one.name;
        EXPECT_NE(one.significant, true) << one.name;
      }
  }
}

TEST(TraceComparison, OfEmptyTracesIsEmpty) {
  const TraceComparison all = compare_profiles({}, {});
  for (const auto& rows : all.rows) EXPECT_TRUE(rows.empty());
  EXPECT_EQ(all.time, (std::array<double, 2>{0, 0}));
}

// Of all ways to choose which of the values are those of `a`, the share whose sum of ranks is at least as far from the
// mean as that of `a`.
double exact_p(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> all = a;
  all.insert(all.end(), b.begin(), b.end());
  std::ranges::sort(all);
  const auto rank_of = [&](float value) { return 1 + (std::ranges::lower_bound(all, value) - all.begin()); };
  const double mean = static_cast<double>(a.size() * (all.size() + 1)) / 2;
  double here = 0;
  for (const float value : a) here += static_cast<double>(rank_of(value));
  double as_extreme = 0, orders = 0;
  for (unsigned choice = 0; choice < 1u << all.size(); ++choice) {
    if (static_cast<std::size_t>(std::popcount(choice)) != a.size()) continue;
    double sum = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (choice >> i & 1) sum += static_cast<double>(i + 1);
    ++orders;
    as_extreme += std::abs(sum - mean) >= std::abs(here - mean) - 1e-9;
  }
  return as_extreme / orders;
}

TEST(RankSum, IsCloseToTheCountOfAllOrders) {
  EXPECT_EQ(rank_sum_p(std::vector<float>{1, 2, 3}, std::vector<float>{4, 5, 6, 7}), std::nullopt);
  EXPECT_EQ(rank_sum_p(std::vector<float>(5, 2), std::vector<float>(6, 2)), 1);
  unsigned state = 1;
  for (int round = 0; round < 50; ++round) {
    std::vector<float> a, b;
    for (int i = 0; i < 12; ++i) {
      state = state * 1664525u + 1013904223u;
      (i % 2 == 0 ? a : b)
          .push_back(static_cast<float>(state >> 8) + (i % 2 == 0 ? 0.0f : 1e6f * static_cast<float>(round)));
    }
    const double p = rank_sum_p(a, b).value_or(-1);
    EXPECT_NEAR(p, exact_p(a, b), 0.02);
    EXPECT_DOUBLE_EQ(p, rank_sum_p(b, a).value_or(-1));
  }
}

}  // namespace
}  // namespace warpwalk::analysis
