// Every text of the lab "overview" is said somewhere: for each verdict, each change between two traces, each control.
#include <algorithm>
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
#include "core/story/transcript.h"
#include "core/words/idle_text.h"
#include "tests/story/labs/overview_stage.h"
#include "tests/traces/overview_trace.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

// Ops, modules and kernels that changed for each reason.
analysis::TraceComparison changed_for_every_reason() {
  analysis::TraceComparison all;
  all.by_step = true;
  for (int i = 0; i < 10; ++i) {
    analysis::ComparedWork row;
    row.why = static_cast<analysis::ChangeReason>(i);
    row.name = fmt::format("kernel{}", i);
    row.time = {1'000, row.why == analysis::ChangeReason::same ? 1'000.0 : 1'100.0 + 100 * i};
    row.launches = {row.why == analysis::ChangeReason::new_ ? 0.0 : 1.0, 1.5};
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

// Collects the keys of the texts that a stage uses.
void collect_marked(const std::string& words, std::set<std::string>& texts) {
  for (std::size_t at = 0; (at = words.find('<', at)) != std::string::npos; ++at)
    if (const std::size_t end = words.find('>', at); end != std::string::npos)
      texts.insert(words.substr(at + 1, end - at - 1));
}

// As if a compiler had made every kernel of two lines.
analysis::Overview with_lines(const Trace& trace) {
  return analysis::overview_of(trace, {}, [](std::string_view) {
    return std::vector<analysis::KernelPart>{{"net.py(30): forward", 0.75}, {"net.py(31): forward", 0.25}};
  });
}

TEST(Overview, TheLinesOfACompiledKernelAreBelowIt) {
  const analysis::Overview divided = with_lines(sample("mlp_train"));
  const Stage stage =
      overview_stage(sample("mlp_train"), "kernels", {english(), nullptr, {}, false, nullptr, &divided});
  const TablePicture table = table_at(stage, 0, 0);
  ASSERT_GE(table.rows.size(), 6u);
  for (std::size_t kernel = 0; kernel < 2; ++kernel) {
    EXPECT_EQ(table.rows[3 * kernel].cells[0].shown(), divided.work[kernel].label);
    EXPECT_EQ(table.rows[3 * kernel + 1].cells[0].shown(), "    net.py(30): forward");
    EXPECT_EQ(table.rows[3 * kernel + 2].cells[0].shown(), "    net.py(31): forward");
    EXPECT_EQ(table.rows[3 * kernel + 1].cells[2].shown(),
              share_text(std::llround(0.75 * static_cast<double>(divided.work[kernel].total)), divided.work_time));
  }
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
  // A trace with a change that was made, which asks before it shows what was recorded.
  const trace::ReadResult pair = read_trace_file("assets/what_if/h200_what_if_bf16.json.gz");
  const Stage made = overview_stage(pair.trace, "made", {narration, nullptr, {}, false});
  collect_marked(everything_on(made) + made.note, used);
  const Stage asked = overview_stage(pair.trace, "made", {narration, nullptr, {}, true});
  ASSERT_TRUE(asked.question);
  collect_marked(everything_on(asked) + asked.note, used);
  const Walk walk = default_walk(pair.trace);
  SceneInput answered{pair.trace, walk, narration, hardware(), {Moment::Kind::beat, asked.beat, 1}};
  answered.predictions.asking = true;
  answered.predictions.skip(asked.question->key, asked.question->about);
  collect_marked(everything_on(find_scene(overview_scene)->stage(answered)), used);
  const analysis::Overview divided = with_lines(sample("mlp_train"));
  collect_marked(
      everything_on(overview_stage(sample("mlp_train"), "kernels", {narration, nullptr, {}, false, nullptr, &divided})),
      used);
  // These texts are parts of sentences, which the marked narration does not contain.
  // Those of ranks need a RankReport (tests/story/ranks_scene_test.cpp).
  for (const std::string_view part : {"of_trace", "of_step", "outside", "ranks", "ranks_foot", "ranks_head",
                                      "median_steps", "made_inside", "made_outside"})
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

}  // namespace
}  // namespace warpwalk::story::testing
