// Measures what a drag of a control costs in each lab: the stage of every beat, built anew with another setting. A
// frame at 60 Hz has 16.7 ms.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "core/records/hardware.h"
#include "core/story/labs/labs.h"
#include "core/story/scene_list.h"
#include "core/trace/read/read_trace.h"

namespace {

using namespace warpwalk::story;

struct Opened {
  warpwalk::trace::Trace trace;
  Walk walk;
  Narration narration;
  Hardware hardware;
};

// Sets the first slider or choice of a stage to its values in turn.
void drag(benchmark::State& state, const Opened& open, const Scene& lab, std::int64_t beat) {
  SceneInput input{open.trace, open.walk, open.narration, open.hardware, {Moment::Kind::beat, beat, 1}};
  Stage stage = lab.stage(input);
  const auto control = std::ranges::find_if(stage.controls, [](const Control& one) {
    return one.kind == Control::Kind::slider || one.kind == Control::Kind::choice;
  });
  if (control == stage.controls.end()) {
    state.SkipWithError("no control");
    return;
  }
  const std::string name = fmt::format("{}.{}", lab.name, control->name);
  const std::size_t values = control->kind == Control::Kind::slider ? control->steps.size() : control->words.size();
  std::size_t at = 0;
  for (auto _ : state) {
    at = (at + 1) % values;
    input.controls.set(name, control->kind == Control::Kind::slider ? control->steps[at] : static_cast<double>(at));
    benchmark::DoNotOptimize(lab.stage(input));
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    warpwalk::trace::ReadResult read = warpwalk::trace::read_trace(WARPWALK_WALK);
    if (read.error) throw std::runtime_error(*read.error);
    auto narration = Narration::load(WARPWALK_NARRATION);
    if (!narration) throw std::runtime_error(narration.error());
    auto [hardware, no_hardware] = records::load_hardware(WARPWALK_DEVICES);
    if (no_hardware) throw std::runtime_error(*no_hardware);
    const Walk walk = default_walk(read.trace);
    const Opened open = {std::move(read.trace), walk, *std::move(narration), std::move(hardware)};
    for (const Scene& lab : labs()) {
      const std::vector<Beat> beats = lab.beats(open.trace, open.walk);
      for (std::size_t beat = 0; beat < beats.size(); ++beat)
        benchmark::RegisterBenchmark(fmt::format("{}/{}", lab.name, beats[beat].key).c_str(), [&, beat](auto& state) {
          drag(state, open, lab, static_cast<std::int64_t>(beat) + 1);
        })->Unit(benchmark::kMillisecond);
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "lab_bench: %s\n", e.what());
    return 1;
  }
}
