// Measures the speed of the timing model on one core, for launches that are bound by memory, by arithmetic, by shared
// memory and by stores to many lines. Each also runs without the model, in the same process, for the ratio. Rates are
// warp instructions per CPU second. The last lines compare the two.
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/timing/launch/time_launch.h"
#include "core/run/launch/run_launch.h"

namespace {

struct Kind {
  std::string name;
  const char* launch;  ///< of tests/validate
};
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {{"memory", "reference/timed/vecadd_1048576.json"},
                                        {"arithmetic", "timed/philox_1M.json"},
                                        {"shared_memory", "timed/transpose_padded_2048x1024.json"},
                                        {"scattered", "reference/timed/transpose_naive_1024.json"}};
  return all;
}

/// With the timing model, or only the functional simulator.
enum class Model { cycles, functional };

void run(benchmark::State& state, const std::string& launch, Model model) {
  const auto device = *warpwalk::gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  warpwalk::run::LoadOptions load;
  load.code = warpwalk::run::CodeChoice::sass;
  auto loaded = warpwalk::run::load_launch(WARPWALK_SOURCE_DIR "/tests/validate/" + launch, device, load);
  if (!loaded) return state.SkipWithError(loaded.error().c_str());
  auto& ready = *loaded;
  std::uint64_t instructions = 0;
  for (auto _ : state) {
    if (model == Model::cycles) {
      const auto timed = warpwalk::gpu::time_launch(device, *ready.program, ready.launch);
      if (!timed) return state.SkipWithError(timed.error().c_str());
      instructions += timed->warp_instructions;
    } else {
      const auto simulated = warpwalk::gpu::simulate(device, *ready.program, ready.launch);
      if (!simulated) return state.SkipWithError(simulated.error().c_str());
      instructions += simulated->counters.warp_instructions;
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(instructions));
}

const std::string cycles_suffix = "/cycles", functional_suffix = "/functional";

/// Prints the results, and keeps the rates.
class Reporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      const auto rate = run.counters.find("items_per_second");
      // With repetitions, the median comes after the single runs.
      if (rate != run.counters.end() && (run.aggregate_name.empty() || run.aggregate_name == "median"))
        rates_[run.run_name.function_name] = rate->second;
    }
  }
  void Finalize() override {
    ConsoleReporter::Finalize();
    for (const Kind& kind : kinds()) {
      const auto timed = rates_.find(kind.name + cycles_suffix), plain = rates_.find(kind.name + functional_suffix);
      if (timed == rates_.end() || plain == rates_.end()) continue;
      std::printf("%s: %.2f million warp instructions per second with cycles, %.1f without, ratio %.1f\n",
                  kind.name.c_str(), timed->second * 1e-6, plain->second * 1e-6, plain->second / timed->second);
    }
  }

 private:
  std::map<std::string, double> rates_;
};

}  // namespace

int main(int argc, char** argv) {
  for (const Kind& kind : kinds()) {
    benchmark::RegisterBenchmark((kind.name + cycles_suffix).c_str(), run, kind.launch, Model::cycles)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark((kind.name + functional_suffix).c_str(), run, kind.launch, Model::functional)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return 0;
}
