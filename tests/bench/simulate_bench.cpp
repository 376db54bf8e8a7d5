// Measures the speed of simulating kernels on one core, without a timing model. Rates are warp instructions as a GPU
// would issue them (items) and as written in the PTX (ptx).
#include <benchmark/benchmark.h>

#include "core/gpu/device/device_file.h"
#include "core/run/launch/run_launch.h"

namespace {

void simulate(benchmark::State& state, const std::string& launch, int threads, bool sanitize) {
  const auto device = warpwalk::gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json").first;
  auto loaded = warpwalk::run::load_launch(WARPWALK_SOURCE_DIR "/tests/reference/timed/" + launch + ".json", device);
  if (const auto* const error = std::get_if<std::string>(&loaded)) return state.SkipWithError(error->c_str());
  auto& ready = std::get<warpwalk::run::LoadedLaunch>(loaded);
  warpwalk::gpu::SimulateOptions options;
  options.threads = threads;
  options.sanitize = sanitize;
  std::uint64_t instructions = 0, written = 0;
  for (auto _ : state) {
    auto result = warpwalk::gpu::simulate(device, *ready.program, ready.launch, options);
    const auto& counters = std::get<warpwalk::gpu::Simulation>(result).counters;
    instructions += counters.warp_instructions;
    written += counters.ptx_warp_instructions;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(instructions));
  state.counters["ptx"] = benchmark::Counter(static_cast<double>(written), benchmark::Counter::kIsRate);
}

void register_all() {
  for (const char* const launch :
       {"matmul16_128x128x128", "matmul16_256x256x256", "vecadd_1048576", "relu_1048576", "transpose_padded_1024",
        "divergent_1048576", "strided_4194304_8", "reduce_16777216"}) {
    benchmark::RegisterBenchmark(launch, simulate, launch, 1, false)->Unit(benchmark::kMillisecond);
  }
  // For ratios within one run: two host threads, which track the memory they touch, and the sanitizer.
  benchmark::RegisterBenchmark("matmul16_256x256x256/threads:2", simulate, "matmul16_256x256x256", 2, false)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
  benchmark::RegisterBenchmark("matmul16_128x128x128/sanitize", simulate, "matmul16_128x128x128", 1, true)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
