// The lab "overview": its figures against sums made here, its pages, and the comparison of two traces.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/analysis/compare/trace_comparison.h"
#include "core/analysis/predict/suggest.h"
#include "core/analysis/time/idle.h"
#include "core/analysis/time/overview.h"
#include "core/records/hardware.h"
#include "core/story/pictures/panels.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "core/trace/link.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/labs/overview_stage.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/overview_trace.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

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

TEST(Overview, AChangeThatWasMadeIsGuessedFirst) {
  const trace::ReadResult pair = read_trace_file("assets/what_if/h200_what_if_bf16.json.gz");
  const Stage asked = overview_stage(pair.trace, "made", {english(), nullptr, {}, true});
  ASSERT_TRUE(asked.question && asked.question->asked());
  EXPECT_EQ(asked.question->options.size(), 5u);
  EXPECT_EQ(panel_picture<TimelinePicture>(asked, 0, 0).groups.front().rows.size(), 4u);
  EXPECT_EQ(asked.facts.size(), 1u) << "nothing gives the answer away";
  EXPECT_EQ(asked.sentence.find("5,218"), std::string::npos) << asked.sentence;
  const Stage shown = overview_stage(pair.trace, "made");
  EXPECT_NE(shown.title.find("5,218.7 µs"), std::string::npos) << shown.title;
  const auto& bars = panel_picture<TimelinePicture>(shown, 0, 0);
  ASSERT_EQ(bars.groups.front().rows.size(), 3u);
  EXPECT_EQ(bars.groups.front().rows[1].bars.size(), 2u) << "the prediction has a range";
  EXPECT_EQ(table_at(shown, 1, 0).rows.front().cells.front().text, "dtype:bf16");
  // No other trace has the beat.
  const Trace& other = sample("mlp_train");
  EXPECT_EQ(find_scene(overview_scene)->beats(other, default_walk(other)).size(), 8u);
}

TEST(Overview, BoundsHavePredictionsBesideThem) {
  const Trace& trace = sample("mlp_train");
  analysis::Overview overview = analysis::overview_of(trace);
  overview.predicted = analysis::predict_advice(trace, overview.advice, hardware().devices);
  const Walk walk = default_walk(trace);
  const Scene& scene = *find_scene(overview_scene);
  SceneInput input{
      trace, walk, english(), hardware(), {Moment::Kind::beat, beat_named(scene, trace, walk, "change"), 1}};
  EXPECT_EQ(table_at(scene.stage(input), 0, 0).columns.size(), 3u);
  input.overview = &overview;
  const TablePicture table = table_at(scene.stage(input), 0, 0);
  ASSERT_EQ(table.columns.size(), 4u);
  EXPECT_EQ(table.columns[2].head, "a step, predicted");
  EXPECT_TRUE(table.rows[0].cells[2].shown().starts_with("-")) << table.rows[0].cells[2].shown();
  EXPECT_EQ(table.rows[1].cells[2].shown(), "–") << "the profiler's own work";
}

}  // namespace
}  // namespace warpwalk::story::testing
