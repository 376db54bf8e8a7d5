// Measures how long a memory snapshot takes to open, its peak memory, and the stages of lab/allocator with it.
//   python3 tests/bench/make_snapshot.py /tmp/big.pickle 1e9
//   WARPWALK_SNAPSHOT=/tmp/big.pickle build/release/tests/bench/snapshot_bench
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/records/hardware.h"
#include "core/story/scene_list.h"
#include "core/trace/read/read_trace.h"

namespace {

using namespace warpwalk;

/// Peak memory, in bytes, of a child process that reads the file; 0 on failure.
double peak_bytes(const std::filesystem::path& file) {
  const pid_t child = fork();
  if (child == 0) _exit(trace::read_trace(file).error ? 1 : 0);
  int status = 0;
  rusage used{};
  if (child < 0 || wait4(child, &status, 0, &used) != child || status != 0) return 0;
  return static_cast<double>(used.ru_maxrss) * 1024;
}

void read_snapshot(benchmark::State& state, const std::filesystem::path& file, double peak) {
  for (auto _ : state) {
    const auto result = trace::read_trace(file);
    if (result.error) return state.SkipWithError(result.error->c_str());
    state.counters["entries"] = static_cast<double>(result.events);
  }
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(file));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * bytes);
  state.counters["peak_MB"] = peak / 1e6;
  state.counters["peak/file"] = peak / static_cast<double>(bytes);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const char* const named = std::getenv("WARPWALK_SNAPSHOT");
  if (named == nullptr) {
    std::fprintf(stderr, "snapshot_bench: set WARPWALK_SNAPSHOT to a file of tests/bench/make_snapshot.py\n");
    return 2;
  }
  const std::filesystem::path file = named;
  try {
    const double peak = peak_bytes(file);
    benchmark::RegisterBenchmark("read_snapshot", read_snapshot, file, peak)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
    trace::ReadResult opened = trace::read_trace(file);
    if (opened.error) throw std::runtime_error(*opened.error);
    auto narration = story::Narration::load(WARPWALK_NARRATION);
    if (!narration) throw std::runtime_error(narration.error());
    auto [hardware, no_hardware] = records::load_hardware(WARPWALK_DEVICES);
    if (no_hardware) throw std::runtime_error(*no_hardware);
    const story::Walk walk = story::default_walk(opened.trace);
    const story::Scene& lab = *story::find_scene("lab/allocator");
    for (std::int64_t beat = 1; beat <= 4; ++beat)
      benchmark::RegisterBenchmark(fmt::format("stage/b{}", beat).c_str(), [&, beat](benchmark::State& state) {
        story::SceneInput input{opened.trace, walk, *narration, hardware, {story::Moment::Kind::beat, beat, 1}};
        // Halfway through the history.
        input.controls.set("lab/allocator.entry", static_cast<double>(opened.trace.memory.size() / 2));
        for (auto _ : state) benchmark::DoNotOptimize(lab.stage(input));
      })->Unit(benchmark::kMillisecond);
    benchmark::RunSpecifiedBenchmarks();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "snapshot_bench: %s\n", e.what());
    return 2;
  }
  benchmark::Shutdown();
}
