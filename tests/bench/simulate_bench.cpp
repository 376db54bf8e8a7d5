// Measures the speed of simulating kernels on one core, without a timing model: from PTX, and from the machine code
// that ptxas makes of it (sass). Rates are warp instructions as a GPU would issue them (items; estimated for PTX) and
// as written in the PTX (ptx). The last line is the median rate of the machine code.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/ptx/module.h"
#include "core/run/launch/run_launch.h"
#include "tests/run/machine_code/compile_cubin.h"

namespace {

enum class Code { ptx, sass };

void simulate(benchmark::State& state, const std::string& launch, Code code, int threads, bool sanitize) {
  const auto device = *warpwalk::gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  auto loaded = warpwalk::run::load_launch(WARPWALK_SOURCE_DIR "/tests/reference/timed/" + launch + ".json", device);
  if (!loaded) return state.SkipWithError(loaded.error().c_str());
  auto& ready = *loaded;
  if (code == Code::sass) {
    auto prepared = warpwalk::gpu::prepare_machine_code(warpwalk::testing::compile_cubin(ready.ptx),
                                                        warpwalk::gpu::entry_of(*ready.program).name);
    if (!prepared) return state.SkipWithError(prepared.error().c_str());
    ready.program = *std::move(prepared);
  }
  warpwalk::gpu::SimulateOptions options;
  options.threads = threads;
  options.sanitize = sanitize;
  std::uint64_t instructions = 0, written = 0;
  for (auto _ : state) {
    auto result = warpwalk::gpu::simulate(device, *ready.program, ready.launch, options);
    const auto& counters = result->counters;
    instructions += counters.warp_instructions;
    written += counters.ptx_warp_instructions;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(instructions));
  state.counters["ptx"] = benchmark::Counter(static_cast<double>(written), benchmark::Counter::kIsRate);
}

const std::string sass_suffix = "/sass";

/// Prints the results, and keeps the rates of machine code.
class Reporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      const auto rate = run.counters.find("items_per_second");
      if (run.benchmark_name().ends_with(sass_suffix) && rate != run.counters.end()) rates_.push_back(rate->second);
    }
  }
  void Finalize() override {
    ConsoleReporter::Finalize();
    if (rates_.empty()) return;
    std::sort(rates_.begin(), rates_.end());
    const double median = (rates_[(rates_.size() - 1) / 2] + rates_[rates_.size() / 2]) / 2;
    std::printf("median of %zu kernels as machine code: %.1f million warp instructions per second\n", rates_.size(),
                median * 1e-6);
  }

 private:
  std::vector<double> rates_;
};

void register_all() {
  for (const std::string launch :
       {"matmul16_128x128x128", "matmul16_256x256x256", "vecadd_1048576", "relu_1048576", "transpose_padded_1024",
        "divergent_1048576", "strided_4194304_8", "reduce_16777216"}) {
    benchmark::RegisterBenchmark(launch.c_str(), simulate, launch, Code::ptx, 1, false)->Unit(benchmark::kMillisecond);
    if (warpwalk::testing::has_ptxas())
      benchmark::RegisterBenchmark((launch + sass_suffix).c_str(), simulate, launch, Code::sass, 1, false)
          ->Unit(benchmark::kMillisecond);
  }
  // For ratios within one run: two host threads, which track the memory they touch, and the sanitizer.
  benchmark::RegisterBenchmark("matmul16_256x256x256/threads:2", simulate, "matmul16_256x256x256", Code::ptx, 2, false)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
  benchmark::RegisterBenchmark("matmul16_128x128x128/sanitize", simulate, "matmul16_128x128x128", Code::ptx, 1, true)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return 0;
}
