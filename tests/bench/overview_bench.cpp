// Measures what the lab "overview" reads from a trace of a million events, whole and part by part. The events are
// copies of a real training trace, 10 ms apart, without marked steps in common.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <utility>

#include <benchmark/benchmark.h>

#include "core/analysis/time/overview.h"
#include "core/trace/read/read_trace.h"
#include "tests/bench/make_trace.h"

namespace {

using namespace warpwalk;

trace::Trace million_events() {
  const std::filesystem::path file = std::filesystem::path(WARPWALK_BENCH_FOLDER) / "million_events.json";
  if (!std::filesystem::exists(file)) bench::make_trace(bench::real_sample(), 1000000, file);
  trace::ReadResult read = trace::read_trace(file);
  if (read.error) throw std::runtime_error(*read.error);
  return std::move(read.trace);
}

template <class Run>
void add(const char* name, Run run) {
  benchmark::RegisterBenchmark(name, [run](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(run());
  })->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  try {
    const trace::Trace trace = million_events();
    add("overview", [&] { return analysis::overview_of(trace); });
    add("idle_causes", [&] { return analysis::idle_reports(trace); });
    add("breakdown", [&] { return analysis::gpu_breakdowns(trace); });
    add("kernels_by_cost", [&] { return analysis::work_costs(trace); });
    add("ops_by_cost", [&] { return analysis::op_costs(trace); });
    add("launch_rate", [&] { return analysis::launch_rate(trace, 120); });
    add("path_events", [&] { return std::make_unique<analysis::PathFinder>(trace); });
    const analysis::PathFinder paths(trace);
    const analysis::CriticalPath path = paths.whole();
    std::fprintf(stderr, "the critical path has %zu segments\n", path.segments.size());
    add("critical_path", [&] { return paths.whole(); });
    add("path_as_rows", [&] { return analysis::path_rows(trace, path, 24); });
    add("longest_rows", [&] { return analysis::longest_path_rows(trace, path, 24); });
    add("path_names", [&] { return analysis::path_names(trace, path, 64); });
    const std::vector<analysis::IdleReport> reports = analysis::idle_reports(trace, paths);
    add("gaps_split", [&] { return analysis::idle_reports(trace, paths); });
    add("steps", [&] { return analysis::training_steps(trace, &reports.front(), paths, 12); });
    add("code_places", [&] { return std::make_unique<analysis::CodePlaces>(trace); });
    const analysis::CodePlaces places(trace);
    add("culprit", [&] { return analysis::culprit_of(trace, places, reports.front()); });
    add("idle_lines", [&] { return analysis::idle_lines(trace, places, reports.front().parts, 16); });
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "overview_bench: %s\n", error.what());
    return 2;
  }
}
