// Measures the speed and peak memory of reading a profiler file. The baseline is a plain rapidjson scan of the same
// file that keeps nothing; the ratio of the two is comparable across machines if both ran in the same run.
//   reader_bench --benchmark_repetitions=5 --benchmark_enable_random_interleaving=true
// WARPWALK_BENCH_LARGE=1 adds a file of ten million events (2.9 GB of disk, some minutes).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <malloc.h>
#include <rapidjson/filereadstream.h>
#include <rapidjson/reader.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/trace/read/read_trace.h"
#include "tests/bench/make_trace.h"

namespace {

namespace fs = std::filesystem;

struct Input {
  std::string name;
  std::uint64_t events;

  fs::path file() const { return fs::path(WARPWALK_BENCH_FOLDER) / (name + ".json"); }
  std::int64_t size() const { return static_cast<std::int64_t>(fs::file_size(file())); }
  /// Creates the file, unless it exists and is newer than this program.
  void make() const {
    if (fs::exists(file()) && fs::last_write_time(file()) > fs::last_write_time("/proc/self/exe")) return;
    std::fprintf(stderr, "making %s\n", file().c_str());
    warpwalk::bench::make_trace(warpwalk::bench::real_sample(), events, file());
  }
};

/// Peak memory, in bytes, of a child process that reads the file; 0 on failure.
double peak_bytes(const fs::path& file) {
  malloc_trim(0);  // do not charge memory freed by earlier benchmarks to the child
  const pid_t child = fork();
  if (child == 0) _exit(warpwalk::trace::read_trace(file).error ? 1 : 0);
  int status = 0;
  rusage used{};
  if (child < 0 || wait4(child, &status, 0, &used) != child || status != 0) return 0;
  return static_cast<double>(used.ru_maxrss) * 1024;
}

void count(benchmark::State& state, const Input& input) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * input.size());
  state.counters["events/s"] =
      benchmark::Counter(static_cast<double>(input.events), benchmark::Counter::kIsIterationInvariantRate);
}

void read(benchmark::State& state, const Input& input) {
  const double peak = peak_bytes(input.file());
  for (auto _ : state) {
    const auto result = warpwalk::trace::read_trace(input.file());
    if (result.error || result.events != input.events) return state.SkipWithError("the file was not read whole");
  }
  count(state, input);
  state.counters["peak_MB"] = peak / 1e6;
  state.counters["peak/file"] = peak / static_cast<double>(input.size());
}

void bare_scan(benchmark::State& state, const Input& input) {
  for (auto _ : state) {
    std::FILE* const file = std::fopen(input.file().c_str(), "rb");
    if (file == nullptr) return state.SkipWithError("the file cannot be opened");
    std::vector<char> buffer(std::size_t{1} << 16);
    rapidjson::FileReadStream in(file, buffer.data(), buffer.size());
    rapidjson::BaseReaderHandler<> ignore;
    rapidjson::Reader reader;
    reader.Parse<rapidjson::kParseNanAndInfFlag>(in, ignore);
    std::fclose(file);
    if (reader.HasParseError()) return state.SkipWithError("the file is no JSON");
  }
  count(state, input);
}

void add(const Input& input) {
  using Run = void (*)(benchmark::State&, const Input&);
  const auto one = [&](const char* name, Run run) {
    benchmark::RegisterBenchmark((std::string(name) + "/" + input.name).c_str(), run, input)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  };
  one("read_trace", read);
  one("bare_rapidjson_scan", bare_scan);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  std::vector<Input> inputs = {{"million_events", 1000000}};
  if (std::getenv("WARPWALK_BENCH_LARGE") != nullptr) inputs.push_back({"ten_million_events", 10000000});
  try {
    for (const Input& input : inputs) {
      input.make();
      add(input);
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "reader_bench: %s\n", e.what());
    return 2;
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
