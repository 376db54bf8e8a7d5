// Measures what `info` and `info --json` cost beside reading alone: processor time and peak memory of processes of
// their own, for a trace of a million events. The ratios are comparable across machines.
//   info_bench --benchmark_repetitions=5 --benchmark_enable_random_interleaving=true
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/trace/read/read_trace.h"
#include "tests/bench/make_trace.h"

namespace {

namespace fs = std::filesystem;

fs::path million_events() {
  fs::path file = fs::path(WARPWALK_BENCH_FOLDER) / "million_events.json";
  if (!fs::exists(file)) warpwalk::bench::make_trace(warpwalk::bench::real_sample(), 1000000, file);
  return file;
}

/// What a child process used.
struct Used {
  double seconds = 0;  ///< of the processor
  double peak = 0;     ///< bytes
  bool failed = false;
};

/// Runs `work` in a child process, which ends with its exit status.
template <class Work>
Used used_by(Work work) {
  malloc_trim(0);  // do not charge memory freed by earlier benchmarks to the child
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) return {0, 0, true};
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return {seconds(usage.ru_utime) + seconds(usage.ru_stime), static_cast<double>(usage.ru_maxrss) * 1024, false};
}

int read_alone(const fs::path& file) { return warpwalk::trace::read_trace(file).error ? 1 : 0; }

/// Replaces this process by `warpwalk info`, without its output.
int info(const fs::path& file, bool json) {
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0 || dup2(nowhere, 1) < 0) return 1;
  std::vector<std::string> words = {WARPWALK_PROGRAM, "info", file.string()};
  if (json) words.insert(words.end(), {"--json", "-"});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(arguments.front(), arguments.data());
  return 1;
}

template <class Work>
void add(const char* name, Work work) {
  benchmark::RegisterBenchmark(name,
                               [work](benchmark::State& state) {
                                 double peak = 0;
                                 for (auto _ : state) {
                                   const Used used = used_by(work);
                                   if (used.failed) return state.SkipWithError("the trace was not read");
                                   state.SetIterationTime(used.seconds);
                                   peak = used.peak;
                                 }
                                 state.counters["peak_MB"] = peak / 1e6;
                               })
      ->Unit(benchmark::kMillisecond)
      ->UseManualTime();
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  try {
    const fs::path file = million_events();
    add("reading", [file] { return read_alone(file); });
    add("info", [file] { return info(file, false); });
    add("info_json", [file] { return info(file, true); });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "info_bench: %s\n", error.what());
    return 2;
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
