// Measures how long it takes to show another cycle of an SM (core/gpu/history): the next one, the one before, and any
// cycle of the launch; how long it takes to find where a number of a result comes from, and who wrote it. Counters: the
// longest time of one step, warp instructions of the launch and of the SM so far, checkpoints, and their memory in MB.
#include <chrono>
#include <random>
#include <string>

#include <benchmark/benchmark.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/launch_addresses.h"
#include "core/gpu/history/origin/origin.h"
#include "core/gpu/history/sm_replay.h"
#include "core/gpu/history/writer/who_wrote.h"
#include "core/gpu/timing/launch/time_launch.h"
#include "core/run/launch/run_launch.h"

namespace {

using warpwalk::gpu::SmReplay;

/// Files of tests/validate, with machine code.
const std::vector<std::pair<std::string, std::string>> launches = {{"n_body_8192", "timed/n_body_8192.json"},
                                                                   {"matmul_naive_512", "timed/matmul_naive_512.json"}};

/// A replay that has run to its end once.
struct Ready {
  explicit Ready(const std::string& file)
      : device(*warpwalk::gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json")),
        whole(load(file)),
        again(load(file)) {
    warpwalk::gpu::LaunchRecorder recorder;
    warpwalk::gpu::TimingOptions options;
    options.recorder = &recorder;
    auto timed = warpwalk::gpu::time_launch(device, *whole.program, whole.launch, options);
    instructions = timed->warp_instructions;
    record = std::move(recorder.record());
    replay = *SmReplay::make(device, *again.program, again.launch, record, 0, {});
    replay->seek(replay->end());
  }
  warpwalk::run::LoadedLaunch load(const std::string& file) const {
    warpwalk::run::LoadOptions options;
    options.code = warpwalk::run::CodeChoice::sass;
    return *warpwalk::run::load_launch(WARPWALK_SOURCE_DIR "/tests/validate/" + file, device, options);
  }
  warpwalk::gpu::Device device;
  warpwalk::run::LoadedLaunch whole, again;
  warpwalk::gpu::LaunchRecord record;
  std::unique_ptr<SmReplay> replay;
  std::uint64_t instructions = 0;
};

enum class Move { next, previous, anywhere };

void show(benchmark::State& state, Ready& ready, Move move) {
  SmReplay& replay = *ready.replay;
  std::mt19937_64 random(1);
  std::int64_t cycle = replay.end() / 2;
  replay.seek(cycle);
  double longest = 0;
  for (auto _ : state) {
    if (move == Move::anywhere)
      cycle = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(replay.end()));
    else
      cycle += move == Move::next ? 1 : -1;
    if (cycle <= 0 || cycle >= replay.end()) cycle = replay.end() / 2;
    const auto began = std::chrono::steady_clock::now();
    replay.seek(cycle);
    benchmark::DoNotOptimize(replay.state());
    longest = std::max(longest, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  }
  state.counters["longest_ms"] = 1e3 * longest;
  state.counters["launch_instructions"] = static_cast<double>(ready.instructions);
  state.counters["sm_instructions"] = static_cast<double>(replay.sm().counters().issued);
  state.counters["checkpoints"] = static_cast<double>(replay.checkpoints().size());
  state.counters["MB"] = static_cast<double>(replay.bytes()) / 1e6;
}

/// Where one element of a product of 256 x 256 x 256 comes from (core/gpu/history/origin), the launch of matmul_tiled
/// run again and again included.
void find_one_number(benchmark::State& state) {
  constexpr std::uint64_t side = 256;
  const warpwalk::gpu::Device device = *warpwalk::gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  warpwalk::run::LoadOptions options;
  options.code = warpwalk::run::CodeChoice::sass;
  auto loaded =
      *warpwalk::run::load_launch(WARPWALK_SOURCE_DIR "/tests/validate/timed/matmul_tiled_500.json", device, options);
  warpwalk::gpu::Launch& launch = loaded.launch;
  launch.grid = {side / 16, side / 16, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    launch.buffers[i].address = 0x7f2000000000 + i * (std::uint64_t{1} << 24);
    launch.buffers[i].bytes.resize(side * side * 4);
    launch.arguments[3 + i].bytes = {0, 1, 0, 0};
  }
  std::size_t steps = 0, runs = 0;
  for (auto _ : state) {
    const auto origin = warpwalk::gpu::find_origin(device, *loaded.program, launch,
                                                   launch.buffers[2].address + (100 * side + 77) * 4, 4);
    if (!origin || origin->inputs.empty() || !origin->incomplete.empty()) state.SkipWithError("not found");
    steps = origin->steps.size();
    runs = origin->runs;
  }
  state.counters["steps"] = static_cast<double>(steps);
  state.counters["runs"] = static_cast<double>(runs);
}

/// One step back of "who wrote this?" (core/gpu/history/writer) in a launch of about ten million warp instructions: the
/// first answer about it, which runs the whole launch once, and later ones.
void one_step_back(benchmark::State& state, bool first) {
  const warpwalk::gpu::Device device = *warpwalk::gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  warpwalk::run::LoadOptions options;
  options.code = warpwalk::run::CodeChoice::sass;
  auto loaded =
      *warpwalk::run::load_launch(WARPWALK_SOURCE_DIR "/tests/validate/timed/matmul_naive_512.json", device, options);
  loaded.launch.grid[1] = 16;  // half of it
  warpwalk::gpu::Launch after = loaded.launch;
  const auto simulated = *warpwalk::gpu::simulate(device, *loaded.program, after);
  const std::uint64_t result = warpwalk::gpu::buffer_addresses(*loaded.program, loaded.launch)[2];
  auto writers = std::make_unique<warpwalk::gpu::LaunchWriters>(device, *loaded.program, loaded.launch);
  warpwalk::gpu::WriterQuestion question;
  question.place.address = result;
  if (!first) (void)writers->ask(question);
  std::size_t element = 0, steps = 0;
  double longest = 0;
  for (auto _ : state) {
    if (first) writers = std::make_unique<warpwalk::gpu::LaunchWriters>(device, *loaded.program, loaded.launch);
    element = (element + 77777) % (512 * 256);
    question.place.address = result + 4 * element;
    const auto began = std::chrono::steady_clock::now();
    const auto answer = writers->ask(question);
    longest = std::max(longest, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    if (!answer || !answer->written()) state.SkipWithError("not found");
    steps = answer->steps.size();
  }
  state.counters["longest_ms"] = 1e3 * longest;
  state.counters["launch_instructions"] = static_cast<double>(simulated.counters.warp_instructions);
  state.counters["instructions"] = static_cast<double>(steps);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (const auto& [name, file] : launches) {
    auto ready = std::make_shared<Ready>(file);
    for (const auto& [move, word] :
         {std::pair{Move::next, "next"}, {Move::previous, "previous"}, {Move::anywhere, "anywhere"}})
      benchmark::RegisterBenchmark((name + "/" + word).c_str(), [ready, move = move](benchmark::State& state) {
        show(state, *ready, move);
      })->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark("origin_of_a_number/matmul_tiled_256", find_one_number)->Unit(benchmark::kMillisecond);
  for (const bool first : {true, false})
    benchmark::RegisterBenchmark(first ? "who_wrote/first_answer" : "who_wrote/later_answer",
                                 [first](benchmark::State& state) { one_step_back(state, first); })
        ->Unit(benchmark::kMillisecond);
  benchmark::RunSpecifiedBenchmarks();
}
