// The lab "overview": its figures against sums made here, its pages, and the comparison of two traces.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/analysis/compare/trace_comparison.h"
#include "core/analysis/time/idle.h"
#include "core/analysis/time/overview.h"
#include "core/records/hardware.h"
#include "core/story/pictures/panels.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "core/trace/link.h"
#include "core/words/idle_text.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/overview_trace.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

constexpr std::string_view overview_scene = "lab/overview";
constexpr std::string_view overview_walks[] = {
    "relu_matmul",     "two_streams",      "mlp_train",          "pytorch_relu_matmul",
    "h200_cuda_graph", "h200_two_streams", "h200_torch_compile", "h200_pytorch_training_step"};

struct Shown {
  const Narration& narration = english();
  const analysis::TraceSummary* compared = nullptr;
  Controls controls = {};
  bool asking = false;
  const analysis::TraceComparison* comparison = nullptr;
};

Stage overview_stage(const Trace& trace, std::string_view beat, const Shown& shown = {}) {
  const Walk walk = default_walk(trace);
  const Scene& scene = *find_scene(overview_scene);
  SceneInput input{
      trace, walk, shown.narration, hardware(), {Moment::Kind::beat, beat_named(scene, trace, walk, beat), 1}};
  input.controls = shown.controls;
  input.compared = shown.compared;
  input.comparison = shown.comparison;
  input.predictions.asking = shown.asking;
  return scene.stage(input);
}

Controls overview_set_to(std::string_view control, double value) {
  Controls controls;
  controls.set(fmt::format("{}.{}", overview_scene, control), value);
  return controls;
}

// A copy, so that the stage may be a temporary.
TablePicture table_at(const Stage& stage, std::size_t row, std::size_t panel) {
  return panel_picture<TablePicture>(stage, row, panel);
}

TEST(Overview, IdleComputeAndTheRestAddUpToTheSpan) {
  for (const std::string_view name : overview_walks) {
    for (const analysis::GpuBreakdown& gpu : analysis::gpu_breakdowns(sample(name)))
      EXPECT_EQ(gpu.idle + gpu.compute + gpu.non_compute, gpu.to - gpu.from) << name;
    const std::vector<analysis::IdleReport> reports = analysis::idle_reports(sample(name));
    ASSERT_EQ(reports.size(), analysis::gpu_breakdowns(sample(name)).size());
    for (std::size_t i = 0; i < reports.size(); ++i) {
      // The report also has the time from the start of the first step to the first work, the breakdown does not.
      const analysis::GpuBreakdown breakdown = analysis::gpu_breakdowns(sample(name))[i];
      EXPECT_EQ(reports[i].idle() - (breakdown.from - reports[i].from), breakdown.idle) << name;
      EXPECT_EQ(reports[i].computing, analysis::gpu_breakdowns(sample(name))[i].compute) << name;
    }
  }
}

TEST(Overview, CommunicationIsApartFromCompute) {
  const trace::Trace trace = OverviewTrace()
                                 .kernel("gemm", 0, 100, 1)
                                 .kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(...)", 50, 250, 2, 8)
                                 .copy("Memcpy DtoD (Device -> Device)", 240, 300, 3, 9)
                                 .kernel("gemm", 350, 400, 4)
                                 .read();
  const analysis::GpuBreakdown gpu = analysis::gpu_breakdowns(trace).at(0);
  EXPECT_EQ(gpu.compute, 150);
  EXPECT_EQ(gpu.communication, 200);
  EXPECT_EQ(gpu.communication_alone, 150);
  EXPECT_EQ(gpu.non_compute, 200);  // 100 to 300
  EXPECT_EQ(gpu.idle, 50);
}

TEST(Overview, CostsAddUp) {
  for (const std::string_view name : overview_walks) {
    const Trace& trace = sample(name);
    std::map<std::string, std::vector<std::int64_t>> by_name;
    std::int64_t all = 0, cpu = 0;
    for (SliceId s = 0; s < trace.slices.size(); ++s) {
      if (trace::is_gpu_work(trace.slices.kind[s]) && trace.slices.duration[s] > 0) {
        by_name[std::string(trace.name(s))].push_back(trace.slices.duration[s]);
        all += trace.slices.duration[s];
      }
      if (trace.slices.kind[s] == trace::SliceKind::op && trace::enclosing(trace, s, trace::SliceKind::op) == no_slice)
        cpu += trace.slices.duration[s];
      // Calls in ops are not the ops' own time.
      const SliceId above = trace.slices.parent[s];
      if (trace::is_call(trace.slices.kind[s]) && (above == no_slice || !trace::is_call(trace.slices.kind[above])) &&
          trace::enclosing(trace, s, trace::SliceKind::op) != no_slice)
        cpu -= trace.slices.duration[s];
    }
    const std::vector<analysis::WorkCost> costs = analysis::work_costs(trace);
    EXPECT_EQ(costs.size(), by_name.size()) << name;
    for (std::size_t i = 0; i < costs.size(); ++i) {
      if (i > 0) {
        EXPECT_GE(costs[i - 1].total, costs[i].total);
      }
      const std::vector<std::int64_t>& durations = by_name.at(std::string(trace.name(costs[i].longest_one)));
      std::int64_t sum = 0;
      for (const std::int64_t one : durations) sum += one;
      EXPECT_EQ(costs[i].total, sum);
      EXPECT_EQ(costs[i].count, durations.size());
      EXPECT_EQ(costs[i].shortest, *std::ranges::min_element(durations));
      EXPECT_EQ(costs[i].longest, *std::ranges::max_element(durations));
      EXPECT_EQ(trace.slices.duration[costs[i].longest_one], costs[i].longest);
    }
    std::int64_t gpu = 0, self = 0;
    for (const analysis::OpCost& cost : analysis::op_costs(trace)) {
      gpu += cost.gpu;
      self += cost.self;
    }
    EXPECT_EQ(gpu, all) << name;
    EXPECT_EQ(self, cpu) << name;
  }
}

TEST(Overview, LaunchesAndQueueAreCountedOnce) {
  for (const std::string_view name : overview_walks) {
    const Trace& trace = sample(name);
    for (const std::size_t stretches : {1u, 7u, 120u}) {
      const analysis::LaunchRate rate = analysis::launch_rate(trace, stretches);
      ASSERT_EQ(rate.launches.size(), stretches);
      std::set<SliceId> calls;
      std::vector<std::uint32_t> expected(stretches, 0);
      std::int64_t waiting = 0;
      for (const auto& [launch, work] : trace.launched) {
        if (calls.insert(launch).second)
          ++expected.at(static_cast<std::size_t>((trace.slices.start[launch] - rate.from) / rate.width));
        if (trace.slices.duration[work] > 0)
          waiting += std::max<std::int64_t>(0, trace.slices.start[work] - trace.slices.start[launch]);
      }
      EXPECT_EQ(rate.launches, expected) << name;
      EXPECT_EQ(rate.total, calls.size()) << name;
      double queued = 0;
      for (const double one : rate.queued) queued += one * static_cast<double>(rate.width);
      EXPECT_NEAR(queued, static_cast<double>(waiting), 1) << name;
    }
  }
}

TEST(Overview, QueuedWorkIsTheMeanOverAStretch) {
  // Two pieces wait: one from 10 to 60, one from 20 to 35.
  const trace::Trace trace = OverviewTrace()
                                 .op("aten::mm", 0, 100)
                                 .call("cudaLaunchKernel", 10, 12, 1)
                                 .call("cudaLaunchKernel", 20, 22, 2)
                                 .kernel("a", 60, 100, 1)
                                 .kernel("b", 35, 50, 2, 8)
                                 .read();
  const analysis::LaunchRate rate = analysis::launch_rate(trace, 4);
  ASSERT_EQ(rate.width, 25);
  EXPECT_EQ(rate.queued, (std::vector<double>{20.0 / 25, 1 + 10.0 / 25, 10.0 / 25, 0}));
  EXPECT_EQ(rate.rate(0), 2 * 1e6 / 25);
}

TEST(Overview, StepsAreFoundInThreeWays) {
  const auto steps_of = [](const OverviewTrace& made) { return analysis::overview_of(made.read()).steps; };
  EXPECT_EQ(steps_of(three_steps()).from, analysis::StepsFrom::profiler);
  OverviewTrace named;
  for (int i = 0; i < 4; ++i)
    named.range(fmt::format("batch {}", i), 100 * i, 100 * i + 80).op("aten::mm", 100 * i, 100 * i + 50);
  const analysis::TrainingSteps batches = steps_of(named);
  EXPECT_EQ(batches.from, analysis::StepsFrom::annotation);
  EXPECT_EQ(batches.name, "batch");
  EXPECT_EQ(batches.steps.size(), 4u);
  const analysis::TrainingSteps between = steps_of(OverviewTrace()
                                                       .op("aten::mm", 0, 50)
                                                       .range("Optimizer.step#SGD.step", 60, 80)
                                                       .op("aten::mm", 90, 130)
                                                       .range("Optimizer.step#SGD.step", 140, 150));
  EXPECT_EQ(between.from, analysis::StepsFrom::optimizer);
  ASSERT_EQ(between.steps.size(), 2u);
  EXPECT_EQ(between.steps[0].duration(), 80);
  EXPECT_EQ(between.steps[1].duration(), 70);
  EXPECT_EQ(analysis::overview_of(sample("relu_matmul")).steps.from, analysis::StepsFrom::none);
  EXPECT_EQ(analysis::overview_of(sample("mlp_train")).steps.steps.size(), 2u);
}

TEST(Overview, AStepsPartsAddUp) {
  const trace::Trace trace = three_steps().read();
  for (const Trace* const one : {&trace, &sample("mlp_train"), &sample("h200_two_streams")}) {
    const analysis::TrainingSteps steps = analysis::overview_of(*one).steps;
    ASSERT_FALSE(steps.empty());
    for (const analysis::TrainingStep& step : steps.steps) {
      EXPECT_EQ(step.computing + step.copying + step.idle_time() + step.outside, step.duration());
      EXPECT_GE(step.outside, 0);
      std::int64_t path = 0;
      for (const std::int64_t time : step.path_time) path += time;
      EXPECT_EQ(path, step.duration());
    }
  }
  const analysis::TrainingSteps steps = analysis::overview_of(trace).steps;
  EXPECT_EQ(steps.slowest(), 1u);
  EXPECT_EQ(steps.steps[1].duration(), 1'100'000);
  EXPECT_EQ(steps.steps[1].computing, 150'000);
  EXPECT_EQ(steps.steps[1].copying, 50'000);
  EXPECT_EQ(steps.steps[1].kernels, 2u);
  // Its second launch is 200 µs later. In both steps, the GPU has nothing to do for 20 µs until the first launch.
  const auto late = [&](std::size_t step) {
    return steps.steps[step].of_cause(analysis::IdleCause::late_launch) +
           steps.steps[step].of_cause(analysis::IdleCause::restart);
  };
  EXPECT_EQ(late(1) - late(0), 200'000);
}

TEST(Overview, TheFirstRowLeadsToItsKernel) {
  const Trace& trace = sample("mlp_train");
  const Stage stage = overview_stage(trace, "kernels");
  const TableRow first = table_at(stage, 0, 0).rows.at(0);
  const analysis::WorkCost cost = analysis::work_costs(trace).at(0);
  EXPECT_EQ(first.follow, cost.longest_one);
  EXPECT_FALSE(follow_name(trace, first.follow).empty());
  EXPECT_EQ(first.cells.at(0).text, cost.label);
  for (const std::string_view beat : {"page", "kernels", "path"}) {
    const Stage shown = overview_stage(trace, beat);
    for (const PanelRow& row : lab_panels(shown).rows)
      for (const Panel& panel : row.panels)
        if (const auto* const table = std::get_if<TablePicture>(&panel.picture))
          for (const TableRow& line : table->rows)
            if (line.follow != no_slice) {
              EXPECT_FALSE(follow_name(trace, line.follow).empty());
            }
  }
}

TEST(Overview, KernelsAreSortedAsAsked) {
  const Trace& trace = sample("mlp_train");
  const auto column = [&](double sort, std::size_t cell) {
    std::vector<double> values;
    for (const TableRow& row :
         table_at(overview_stage(trace, "kernels", {english(), nullptr, overview_set_to("sort", sort)}), 0, 0).rows)
      values.push_back(row.cells.at(cell).figure->value());
    return values;
  };
  EXPECT_TRUE(std::ranges::is_sorted(column(2, 3), std::greater{}));
  EXPECT_TRUE(std::ranges::is_sorted(column(1, 4), std::greater{}));
  EXPECT_NE(column(2, 3), column(0, 3));
}

TEST(Overview, ThePathOfAStepIsChosenWithItsControl) {
  const trace::Trace trace = three_steps().read();
  EXPECT_EQ(fact_text(overview_stage(trace, "path"), "Length of the path"), time_text(3'300'000));
  EXPECT_EQ(
      fact_text(overview_stage(trace, "path", {english(), nullptr, overview_set_to("step", 2)}), "Length of the path"),
      time_text(1'100'000));
  const Stage asked = overview_stage(trace, "path", {english(), nullptr, {}, true});
  ASSERT_TRUE(asked.question);
  EXPECT_TRUE(asked.question->asked());
}

TEST(Overview, AnOverviewMadeBeforehandGivesTheSameStage) {
  const Trace& trace = sample("two_streams");
  const analysis::Overview overview = analysis::overview_of(trace);
  const Walk walk = default_walk(trace);
  const Scene& scene = *find_scene(overview_scene);
  for (std::int64_t beat = 1; beat <= 7; ++beat) {
    SceneInput input{trace, walk, english(), hardware(), {Moment::Kind::beat, beat, 1}};
    const std::string alone = everything_on(scene.stage(input));
    input.overview = &overview;
    EXPECT_EQ(everything_on(scene.stage(input)), alone) << beat;
  }
}

// The differences of a table of changes, without its last row, and the last row's.
std::pair<double, double> sums_of(const std::vector<analysis::TraceChange>& changes, const analysis::TraceSummary& a,
                                  const analysis::TraceSummary& b) {
  double sum = 0;
  for (const analysis::TraceChange& one : changes) sum += static_cast<double>(one.delta());
  return {sum, static_cast<double>(b.span - a.span)};
}

TEST(CompareTraces, TheChangesAddUpToTheDifference) {
  std::vector<analysis::TraceSummary> all;
  for (const std::string_view name : overview_walks)
    all.push_back(analysis::overview_of(sample(name), std::string(name)).summary);
  for (const analysis::TraceSummary& a : all) {
    EXPECT_EQ(
        a.computing + a.communicating + a.copying +
            [&] {
              std::int64_t idle = 0;
              for (const std::int64_t one : a.idle) idle += one;
              return idle;
            }(),
        a.span);
    for (const analysis::TraceSummary& b : all) {
      const std::vector<analysis::TraceChange> changes = analysis::changes_between(a, b);
      const auto [sum, difference] = sums_of(changes, a, b);
      EXPECT_EQ(sum, difference) << a.file << " " << b.file;
      for (std::size_t i = 1; i < changes.size(); ++i)
        EXPECT_GE(std::abs(changes[i - 1].delta()), std::abs(changes[i].delta()));
      EXPECT_EQ(changes.empty(), a.file == b.file);
      EXPECT_EQ(analysis::same_figures(a, b), a.file == b.file);
    }
  }
}

TEST(CompareTraces, KernelsAreNewGoneFasterAndSlower) {
  const auto summary = [](const OverviewTrace& made) { return analysis::overview_of(made.read(), "b.json").summary; };
  const analysis::TraceSummary before = summary(OverviewTrace()
                                                    .kernel("same", 0, 10, 1)
                                                    .kernel("faster", 10, 60, 2)
                                                    .kernel("slower", 60, 70, 3)
                                                    .kernel("gone", 70, 75, 4)
                                                    .kernel("fewer", 75, 80, 5)
                                                    .kernel("fewer", 80, 85, 6));
  const analysis::TraceSummary after = summary(OverviewTrace()
                                                   .kernel("same", 0, 10, 1)
                                                   .kernel("faster", 10, 40, 2)
                                                   .kernel("slower", 40, 60, 3)
                                                   .kernel("new", 60, 67, 4)
                                                   .kernel("fewer", 67, 70, 5));
  std::map<std::string, analysis::TraceChange::How> how;
  for (const analysis::TraceChange& one : analysis::changes_between(before, after)) how[one.name] = one.how();
  EXPECT_EQ(how, (std::map<std::string, analysis::TraceChange::How>{{"faster", analysis::TraceChange::How::faster},
                                                                    {"slower", analysis::TraceChange::How::slower},
                                                                    {"gone", analysis::TraceChange::How::gone},
                                                                    {"new", analysis::TraceChange::How::fresh},
                                                                    {"fewer", analysis::TraceChange::How::fewer}}));
}

// Two steps of 100 ns with a product and an all-reduce each, and three of them with products that take longer.
TEST(CompareTraces, TracesOfMoreStepsAreComparedByTheStep) {
  const auto steps = [](int count, long product) {
    OverviewTrace made;
    for (int i = 0; i < count; ++i) {
      const long at = 1000 * i;
      made.range("ProfilerStep#" + std::to_string(i), at, at + 1000)
          .call("cudaLaunchKernel", at, at + 10, 2 * i + 1)
          .kernel("gemm", at + 20, at + 20 + product, 2 * i + 1)
          .call("cudaLaunchKernel", at + 11, at + 12, 2 * i + 2)
          .kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", at + 600, at + 700, 2 * i + 2, 8);
    }
    return made.read();
  };
  const trace::Trace two = steps(2, 300);
  const analysis::TraceSummary three = analysis::overview_of(steps(3, 390), "three.json").summary;
  EXPECT_TRUE(analysis::compares_steps(analysis::overview_of(two).summary, three));
  const analysis::TraceSummary one = analysis::per_step(analysis::overview_of(two).summary);
  const analysis::TraceSummary other = analysis::per_step(three);
  EXPECT_EQ(one.computing, 300);
  EXPECT_EQ(one.communicating, 100);
  EXPECT_EQ(other.computing, 390);
  std::map<std::string, std::int64_t> kernels;
  std::int64_t sum = 0;
  for (const analysis::TraceChange& change : analysis::changes_between(one, other)) {
    sum += change.delta();
    if (change.kind == analysis::TraceChange::Kind::kernel) kernels[change.name] = change.delta();
  }
  EXPECT_EQ(sum, other.span - one.span);
  EXPECT_EQ(kernels, (std::map<std::string, std::int64_t>{{"gemm", 90}}));  // as many all-reduces in each step
  const Stage stage = overview_stage(two, "compare", {english(), &three});
  EXPECT_THAT(stage.title, ::testing::HasSubstr("longer per step in three.json"));
  EXPECT_THAT(stage.sentence, ::testing::HasSubstr("The traces have 2 and 3 steps"));
}

TEST(CompareTraces, TheTableAddsUpAndSaysIfNothingChanged) {
  const Trace& trace = sample("mlp_train");
  const analysis::TraceSummary same = analysis::overview_of(trace, "again.json").summary;
  EXPECT_EQ(overview_stage(trace, "compare", {english(), &same}).title, "Nothing changed");
  EXPECT_EQ(overview_stage(trace, "compare").title, "Compare with a second trace");
  const analysis::TraceSummary other =
      analysis::overview_of(sample("h200_pytorch_training_step"), "other.json").summary;
  const Stage stage = overview_stage(trace, "compare", {english(), &other});
  const TablePicture& table = table_at(stage, 1, 0);
  EXPECT_EQ(table.rows.size(), 8u);  // six changes, the rest, the whole
  EXPECT_THAT(stage.title, ::testing::HasSubstr("other.json"));
  EXPECT_EQ(table.rows.back().cells.at(0).text, "all of it");
}

// Ops, modules and kernels that changed for each reason.
analysis::TraceComparison changed_for_every_reason() {
  analysis::TraceComparison all;
  all.by_step = true;
  for (int i = 0; i < 10; ++i) {
    analysis::ComparedWork row;
    row.why = static_cast<analysis::ChangeReason>(i);
    row.name = fmt::format("kernel{}", i);
    row.time = {1'000, row.why == analysis::ChangeReason::same ? 1'000.0 : 1'100.0 + 100 * i};
    row.launches = {row.why == analysis::ChangeReason::fresh ? 0.0 : 1.0, 1.5};
    all.rows[3].push_back(row);
    for (std::size_t side = 0; side < 2; ++side) {
      all.time[side] += row.time[side];
      all.launches[side] += row.launches[side];
    }
  }
  analysis::ComparedWork row = all.rows[3].back();
  row.counterpart = row.name;
  row.why = analysis::ChangeReason::replaced;
  all.rows[3].push_back(row);
  row.launches[0] = 0;
  all.rows[3].push_back(row);
  row.why = analysis::ChangeReason::time;
  row.time[1] = 900;
  all.rows[3].push_back(row);
  row.significant = false;
  all.rows[3].push_back(row);
  row.name.clear();
  all.rows[1] = all.rows[2] = {row};
  row.name = "gemm";
  all.rows[0] = {row};
  return all;
}

TEST(Overview, CategoriesAddUpToAllGpuWork) {
  const Trace& trace = sample("mlp_train");
  const Stage stage = overview_stage(trace, "kernels", {english(), nullptr, overview_set_to("sort", 3)});
  const TablePicture& table = table_at(stage, 0, 0);
  std::vector<std::string> names;
  for (const TableRow& row : table.rows) names.push_back(row.cells.at(0).text);
  EXPECT_THAT(names, ::testing::Contains("matrix products"));
  const analysis::WorkProfile profile = analysis::work_profile(trace);
  const auto& categories = profile.by(analysis::WorkGrouping::category);
  EXPECT_EQ(names.size(), categories.size());
  std::int64_t time = 0, work = 0;
  for (const analysis::WorkGroup& one : categories) time += one.in_steps.time + one.outside.time;
  for (const analysis::WorkCost& cost : analysis::work_costs(trace)) work += cost.total;
  EXPECT_EQ(time, work);
}

TEST(CompareTraces, ListsTheGpuWorkByWhatIsChosen) {
  const Trace& trace = sample("mlp_train");
  const Trace& second = sample("h200_pytorch_training_step");
  const analysis::TraceSummary other = analysis::overview_of(second, "other.json").summary;
  const analysis::TraceComparison comparison =
      analysis::compare_profiles(analysis::work_profile(trace), analysis::work_profile(second));
  for (int by = 0; by < 5; ++by) {
    const Stage stage =
        overview_stage(trace, "compare", {english(), &other, overview_set_to("changes", by), false, &comparison});
    EXPECT_EQ(stage.controls.size(), 1u);
    const TablePicture& table = table_at(stage, 1, 0);
    ASSERT_FALSE(table.rows.empty());
    EXPECT_LE(table.rows.size(), 10u);
    EXPECT_EQ(table.rows.back().cells.at(0).text, by == 0 ? "all of it" : "all GPU work");
  }
}

// Collects the keys of the texts that a stage uses.
void collect_marked(const std::string& words, std::set<std::string>& texts) {
  for (std::size_t at = 0; (at = words.find('<', at)) != std::string::npos; ++at)
    if (const std::size_t end = words.find('>', at); end != std::string::npos)
      texts.insert(words.substr(at + 1, end - at - 1));
}

TEST(Overview, EveryTextIsSaidSomewhere) {
  const Narration narration = marked();
  std::set<std::string> used;
  const auto look = [&](const Trace& trace, const analysis::TraceSummary* compared = nullptr,
                        const Controls& controls = {}) {
    for (const bool asking : {false, true})
      for (const std::string_view beat :
           {"page", "kernels", "launches", "path", "steps", "compare", "change", "next"}) {
        const Stage stage = overview_stage(trace, beat, {narration, compared, controls, asking});
        const std::string words = everything_on(stage) + stage.note;
        EXPECT_THAT(words, ::testing::Not(::testing::HasSubstr("(no narration"))) << beat;
        collect_marked(words, used);
        if (!asking || !stage.question) continue;
        const Walk walk = default_walk(trace);
        SceneInput input{trace, walk, narration, hardware(), {Moment::Kind::beat, 4, 1}};
        input.predictions.asking = true;
        input.predictions.skip(stage.question->key, stage.question->about);
        collect_marked(everything_on(find_scene(overview_scene)->stage(input)), used);
      }
  };
  for (const std::string_view name : overview_walks) look(sample(name));
  const trace::Trace steps = three_steps().read();
  for (const auto& [control, value] : {std::pair{"step", 2.0}, {"list", 1.0}, {"sort", 2.0}})
    look(steps, nullptr, overview_set_to(control, value));
  look(OverviewTrace().read());
  look(OverviewTrace().op("aten::mm", 0, 100).op("aten::mm", 120, 200).read());
  look(OverviewTrace().op("aten::mm", 0, 50).range("Optimizer.step#SGD.step", 60, 80).op("aten::mm", 90, 130).read());
  look(OverviewTrace()
           .range("Optimizer.step#SGD.step", 60, 80)
           .op("aten::mm", 90, 130)
           .range("Optimizer.step#SGD.step", 140, 180)
           .read());
  look(OverviewTrace()
           .op("aten::mm", 0, 10)
           .kernel("ncclKernel_AllReduce", 10, 50, 1)
           .kernel("a", 60, 90, 2, 7, 1)
           .kernel("ncclKernel_AllReduce", 60, 80, 3, 7, 1)
           .read());
  OverviewTrace many;
  for (int i = 0; i < static_cast<int>(analysis::most_steps) + 2; ++i) many.range("ProfilerStep#1", 10 * i, 10 * i + 8);
  look(many.read());
  // A trace for each verdict, and comparisons of them.
  std::vector<trace::Trace> verdicts;
  verdicts.push_back(OverviewTrace().call("cudaLaunchKernel", 0, 5, 1).kernel("k", 10, 90, 1).read());
  verdicts.push_back(
      OverviewTrace().kernel("k", 10, 20, 1).call("cudaLaunchKernel", 80, 85, 2).kernel("k", 90, 95, 2).read());
  verdicts.push_back(OverviewTrace()
                         .call("cudaLaunchKernel", 0, 2, 1)
                         .kernel("k", 10, 20, 1)
                         .call("cudaDeviceSynchronize", 5, 60, 3)
                         .call("cudaLaunchKernel", 61, 63, 2)
                         .kernel("k", 65, 66, 2)
                         .read());
  verdicts.push_back(OverviewTrace()
                         .call("cudaLaunchKernel", 0, 2, 1)
                         .kernel("k", 10, 20, 1)
                         .frame("data.py(3): load", 15, 75)
                         .frame("<built-in function sleep>", 20, 70)
                         .call("cudaLaunchKernel", 80, 85, 2)
                         .kernel("k", 90, 95, 2)
                         .frame("<built-in function sleep>", 100, 150)
                         .read());
  verdicts.push_back(OverviewTrace()
                         .call("cudaLaunchKernel", 0, 2, 1)
                         .kernel("k", 10, 20, 1)
                         .call("cuModuleLoadData", 20, 70)
                         .call("cudaLaunchKernel", 80, 85, 2)
                         .kernel("k", 90, 95, 2)
                         .call("cuModuleLoadData", 100, 150)
                         .read());
  verdicts.push_back(OverviewTrace()
                         .call("cudaLaunchKernel", 0, 2, 1)
                         .kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 10, 90, 1)
                         .read());
  verdicts.push_back(OverviewTrace().copy("Memcpy HtoD (Pinned -> Device)", 10, 80, 1).kernel("k", 85, 90, 2).read());
  verdicts.push_back(OverviewTrace()
                         .call("cudaLaunchKernel", 0, 2, 1)
                         .kernel("k", 5, 10, 1)
                         .call("cudaStreamWaitEvent", 3, 4, 3)
                         .call("cudaLaunchKernel", 4, 6, 2)
                         .kernel("k", 90, 95, 2)
                         .read());
  verdicts.push_back(
      OverviewTrace().kernel("k", 10, 20, 1).overhead("Buffer Flush", 20, 80).kernel("k", 90, 95, 2).read());
  verdicts.push_back(OverviewTrace().kernel("k", 10, 20, 1).kernel("k", 90, 95, 2).kernel("k", 96, 97, 3, 8).read());
  verdicts.push_back(OverviewTrace()
                         .kernel("k", 10, 20, 1)
                         .call("cudaMalloc", 20, 80)
                         .call("cudaLaunchKernel", 81, 85, 2)
                         .kernel("k", 86, 95, 2)
                         .read());
  OverviewTrace queued;  // kernels of 1 ns every 10 ns, all launched before
  for (int i = 0; i < 8; ++i)
    queued.call("cudaLaunchKernel", 2 * i, 2 * i + 1, i + 1).kernel("k", 20 + 10 * i, 21 + 10 * i, i + 1);
  verdicts.push_back(queued.read());
  std::vector<analysis::TraceSummary> summaries;
  for (const trace::Trace& trace : verdicts) summaries.push_back(analysis::overview_of(trace, "other.json").summary);
  summaries.push_back(analysis::overview_of(OverviewTrace().op("aten::mm", 0, 10).read(), "cpu.json").summary);
  std::set<analysis::IdleVerdict> reached;
  for (const trace::Trace& trace : verdicts) {
    look(trace);
    for (const analysis::TraceSummary& other : summaries) {
      reached.insert(other.verdict);
      const Stage stage = overview_stage(trace, "compare", {narration, &other});
      collect_marked(everything_on(stage) + stage.note, used);
      // The marked narration has no placeholders, so the sentence is also checked in English.
      EXPECT_THAT(everything_on(overview_stage(trace, "compare", {english(), &other})),
                  ::testing::Not(::testing::HasSubstr("(no ")));
    }
  }
  EXPECT_EQ(reached.size(), analysis::idle_verdicts);
  // Kernels that change in each way, that overlap, and that take the same time in different pieces.
  const analysis::TraceSummary other = analysis::overview_of(OverviewTrace()
                                                                 .kernel("faster", 10, 20, 1)
                                                                 .kernel("fewer", 20, 30, 2)
                                                                 .kernel("more", 30, 35, 3)
                                                                 .kernel("more", 36, 40, 4)
                                                                 .kernel("new", 40, 50, 5)
                                                                 .kernel("slower", 50, 90, 6)
                                                                 .kernel("as long", 55, 65, 7, 8)
                                                                 .copy("Memcpy HtoD (Pinned -> Device)", 95, 100, 8)
                                                                 .read(),
                                                             "other.json")
                                           .summary;
  const trace::Trace changed = OverviewTrace()
                                   .kernel("faster", 10, 40, 1)
                                   .kernel("fewer", 41, 45, 2)
                                   .kernel("fewer", 46, 50, 3)
                                   .kernel("more", 51, 52, 4)
                                   .kernel("gone", 52, 60, 5)
                                   .kernel("slower", 60, 61, 6)
                                   .copy("Memcpy HtoD (Pinned -> Device)", 70, 72, 8)
                                   .kernel("one", 72, 73, 9)
                                   .kernel("two", 73, 75, 10)
                                   .kernel("three", 75, 78, 11)
                                   .kernel("four", 78, 80, 12)
                                   .kernel("five", 80, 82, 13)
                                   .read();
  look(changed, &other);
  // The table shows only the largest changes, so this compares a few kernels at a time.
  const analysis::TraceSummary mixed =
      analysis::overview_of(
          OverviewTrace().kernel("faster", 10, 20, 1).kernel("slower", 30, 70, 2).kernel("new", 40, 75, 3, 8).read(),
          "other.json")
          .summary;
  look(OverviewTrace().kernel("faster", 10, 40, 1).kernel("slower", 60, 61, 2).kernel("gone", 61, 70, 3).read(),
       &mixed);
  const analysis::TraceSummary pieces =
      analysis::overview_of(
          OverviewTrace().kernel("fewer", 20, 30, 1).kernel("more", 30, 35, 2).kernel("more", 36, 40, 3).read(),
          "other.json")
          .summary;
  look(OverviewTrace().kernel("fewer", 20, 24, 1).kernel("fewer", 25, 29, 2).kernel("more", 30, 31, 3).read(), &pieces);
  analysis::TraceSummary as_long = analysis::overview_of(changed).summary;
  as_long.computing -= 5;
  as_long.copying += 5;
  as_long.gaps[static_cast<std::size_t>(analysis::IdleCause::unknown)] += 1;
  look(changed, &as_long);
  const analysis::TraceSummary same = analysis::overview_of(changed, "same.json").summary;
  look(changed, &same);
  analysis::TraceSummary stepped = analysis::overview_of(steps, "steps.json").summary;
  stepped.span += 1;
  stepped.idle[0] += 1;
  look(steps, &stepped);
  stepped.steps += 1;
  look(steps, &stepped);
  stepped.steps = 1;
  look(steps, &stepped);
  collect_marked(
      everything_on(overview_stage(sample("mlp_train"), "kernels", {narration, nullptr, overview_set_to("sort", 3)})),
      used);
  analysis::TraceComparison reasons = changed_for_every_reason();
  const auto look_at_work = [&](int by) {
    const Stage stage =
        overview_stage(changed, "compare", {narration, &same, overview_set_to("changes", by), false, &reasons});
    collect_marked(everything_on(stage) + stage.note, used);
  };
  for (int by = 0; by < 5; ++by) look_at_work(by);
  while (!reasons.rows[3].empty()) {
    look_at_work(4);
    reasons.rows[3].pop_back();
    std::ranges::rotate(reasons.rows[3],
                        reasons.rows[3].end() - std::min<std::ptrdiff_t>(5, std::ssize(reasons.rows[3])));
  }
  reasons.by_step = false;
  look_at_work(1);
  // These texts are parts of sentences, which the marked narration does not contain.
  // Those of ranks need a RankReport (tests/story/ranks_scene_test.cpp).
  for (const std::string_view part :
       {"of_trace", "of_step", "outside", "ranks", "ranks_foot", "ranks_head", "median_steps"})
    used.insert(fmt::format("{}.word/{}", overview_scene, part));
  for (std::size_t i = 0; i < analysis::idle_verdicts; ++i)
    used.insert(
        fmt::format("{}.word/verdict_{}", overview_scene, words::key_of(static_cast<analysis::IdleVerdict>(i))));
  used.insert(
      fmt::format("{}.last_path_row/profiler", overview_scene));  // for a trace that ends while the profiler works
  std::set<std::string> missing;
  for (const std::string& text : texts_in(english_scene_text()))
    if (text.starts_with("lab/overview") && text.find(".wrong.") == std::string::npos &&
        text != "lab/overview/company" && text != "lab/overview/hardware" && !used.contains(text))
      missing.insert(text);
  EXPECT_EQ(fmt::format("{}", fmt::join(missing, " ")), "");
}

TEST(Overview, TasksAreDoneByTheirSettings) {
  const trace::Trace trace = three_steps().read();
  const auto done = [&](const Controls& controls, const analysis::TraceSummary* compared = nullptr) {
    std::string text;
    for (const TableRow& row : table_at(overview_stage(trace, "next", {english(), compared, controls}), 1, 0).rows)
      text += row.cells.back().tone == Tone::work ? 'x' : '-';
    return text;
  };
  EXPECT_EQ(done({}), "----");
  EXPECT_EQ(done(overview_set_to("step", 2)), "x---");
  EXPECT_EQ(done(overview_set_to("step", 1)), "----");
  EXPECT_EQ(done(overview_set_to("sort", 2)), "-x--");
  EXPECT_EQ(done(overview_set_to("list", 1)), "--x-");
  const analysis::TraceSummary other = analysis::overview_of(trace).summary;
  EXPECT_EQ(done({}, &other), "---x");
}

}  // namespace
}  // namespace warpwalk::story::testing
