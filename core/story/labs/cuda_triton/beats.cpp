// Lab: the same kernels in CUDA C++ and in Triton, from threads and program instances to measured times and PyTorch.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "core/story/facts/words/ask.h"
#include "core/story/labs/cuda_triton/cuda_triton.h"
#include "core/story/labs/lab.h"
#include "core/story/labs/labs.h"
#include "core/story/records/hardware.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view ops[] = {"triton_op", "custom_op"};

}  // namespace

CudaTriton::CudaTriton(const SceneInput& in) : input(in), record(in.hardware.triton.get()) {
  static constexpr std::string_view kernels[] = {"relu", "vecadd"};
  kernel = kernels[controls.choice("kernel", {"relu", "vecadd"}, 0, "example")];
  n = controls.slider("n", {16, 100, 500, 1000, 1003, 1024, 1500, 2000, 2001, 2048, 3000, 4096, 4100, 5000, 8192}, 2000,
                      "example");
  block = static_cast<int>(controls.slider("block", {32, 64, 128, 256, 512, 1024}, 256, "example"));
  const std::int64_t elements = controls.slider("block_size", {128, 256, 512, 1024, 2048, 4096, 8192}, 1024, "example");
  layout = blocked_layout(static_cast<int>(elements),
                          static_cast<int>(controls.slider("warps", {1, 2, 4, 8, 16}, 4, "example")));
  if (record != nullptr)
    for (const TunedConfig& one : record->tuned)
      if (std::ranges::find(sizes, one.size) == sizes.end()) sizes.push_back(one.size);
  if (!sizes.empty()) {
    std::vector<std::string> names;
    for (const int one : sizes) names.push_back(with_thousands(one));
    size = sizes[controls.choice("size", std::move(names), sizes.size() > 1 ? 1 : 0, "example")];
  }
  op = ops[controls.choice("op", {std::string(ops[0]), std::string(ops[1])}, 0, "example")];
  element = static_cast<int>(controls.pointed("element", layout.elements - 1,
                                              std::llround(37 * std::max(0.2, part(in.moment.phase, 0.05, 0.9)))));
}

std::string CudaTriton::word(std::string_view key, const Narration::Values& values) const {
  return input.narration.text(fmt::format("{}.word", name), key, values);
}

std::vector<const TunedConfig*> CudaTriton::configs() const {
  std::vector<const TunedConfig*> found;
  for (const TunedConfig& one : record->tuned)
    if (one.size == size) found.push_back(&one);
  return found;
}

const TunedConfig* CudaTriton::winner() const {
  for (const TunedConfig& one : record->tuned)
    if (one.size == size && one.chosen) return &one;
  return nullptr;
}

namespace {

std::vector<Task> tasks_of(const CudaTriton& lab) {
  const KernelLaunch* const launch = lab.record == nullptr ? nullptr : lab.triton();
  return {{"vector", lab.layout.per_thread == 4 && lab.even() && lab.layout.slots() == 4},
          {"scalar", lab.layout.per_thread == 4 && !lab.even()},
          {"copies", lab.layout.copies() > 1},
          {"masked", 2 * lab.masked() > lab.layout.elements},
          {"spill", launch != nullptr && launch->spills > 0}};
}

void set_picture(const CudaTriton& lab, std::string_view beat, double shown, Stage& stage) {
  Panels panels;
  const auto step = [&](int steps) { return static_cast<std::size_t>(1 + std::lround(shown * (steps - 1))); };
  if (beat == "same")
    panels.rows = {{1, {sources_panel(lab, step(8))}}};
  else if (beat == "who")
    panels.rows = {{1, {elements_panel(lab, false), elements_panel(lab, true)}}};
  else if (beat == "layout")
    panels.rows = {{1.6, {lanes_panel(lab)}}, {1, {layout_table(lab)}, true}};
  else if (beat == "ptx")
    panels.rows = {{1.9, {ptx_panel(lab)}}, {1, {counters_table(lab)}, true}};
  else if (beat == "times")
    panels.rows = {{1, {times_panel(lab)}}};
  else if (beat == "autotune")
    panels.rows = {{1, {autotune_panel(lab, shown)}}};
  else if (beat == "compile")
    panels.rows = {{1, {compiled_panel(lab, shown)}}};
  else if (beat == "register")
    panels.rows = {{1, {registration_panel(lab, step(9))}}, {1, {call_panel(lab)}}};
  else
    panels.rows = {{2.2, {tasks_panel(lab.input, CudaTriton::name, tasks_of(lab))}, true},
                   {1, {settings_table(lab)}, true, true}};
  stage.picture = std::make_shared<const Panels>(std::move(panels));
}

double number_of(const CudaTriton& lab, std::string_view op, std::string_view step) {
  const OpStep* const found = lab.record->find(op, step);
  return found == nullptr ? 0 : std::strtod(found->result.c_str(), nullptr);
}

void add_facts(const CudaTriton& lab, std::string_view beat, FactWriter& facts) {
  const auto measured = [&](std::string_view key, double us) {
    if (us > 0) facts.fact(key, Figure::recorded(1000 * us, Unit::nanoseconds, Origin::measured));
  };
  if (beat == "same" || beat == "tasks") {
    facts.derived("blocks", with_thousands(lab.blocks()));
    facts.derived("instances", with_thousands(lab.instances()));
    facts.derived("masked", with_thousands(lab.masked()));
  }
  if (beat == "who" || beat == "layout") {
    const Holder holder = lab.layout.holder(lab.element);
    facts.derived("cuda_thread", lab.word("block_thread", {{"block", with_thousands(lab.followed() / lab.block)},
                                                           {"thread", with_thousands(lab.followed() % lab.block)}}));
    facts.derived("triton_thread", lab.word("warp_lane", {{"warp", fmt::to_string(holder.warp)},
                                                          {"lane", fmt::to_string(holder.lane)}}));
    facts.derived("slot", fmt::to_string(holder.slot));
    facts.derived("per_thread", fmt::to_string(lab.layout.per_thread));
    if (lab.layout.copies() > 1) facts.derived("copies", fmt::to_string(lab.layout.copies()));
  }
  if (beat == "ptx") {
    facts.derived("loads", fmt::to_string(lab.loads()));
    facts.derived("width", 4.0 * access_width(lab.layout, lab.n), Unit::bytes);
  }
  if (beat == "times")
    if (const KernelLaunch* const launch = lab.triton(); launch != nullptr) {
      measured("time", launch->us);
      facts.fact("registers", Figure::recorded(launch->registers, Unit::count, Origin::measured));
      facts.derived("bandwidth", 4 * lab.arrays() * launch->elements / (1000 * launch->us), Unit::gigabytes_per_second);
    }
  if (beat == "autotune")
    if (const TunedConfig* const winner = lab.winner(); winner != nullptr) {
      facts.fact("chosen", Figure::recorded(winner->text(), Origin::measured));
      measured("chosen_time", winner->autotuner_us);
      facts.derived("chosen_blocks",
                    std::ceil(winner->size / std::max(1.0, 1.0 * winner->block_m)) *
                        std::ceil(winner->size / std::max(1.0, 1.0 * winner->block_n)),
                    Unit::count);
      facts.fact("registers", Figure::recorded(winner->registers, Unit::count, Origin::measured));
      facts.fact("shared", Figure::recorded(winner->shared, Unit::bytes, Origin::measured));
      measured("cublas", winner->cublas_us);
    }
  if (beat == "compile") {
    measured("eager", number_of(lab, "compile", "us_eager"));
    measured("compiled", number_of(lab, "compile", "us_compiled"));
    measured("eager_large", number_of(lab, "compile", "us_eager_large"));
    measured("compiled_large", number_of(lab, "compile", "us_compiled_large"));
  }
  if (beat == "register")
    for (const OpStep& step : lab.record->steps) {
      const bool gpu = step.step.starts_with("call gpu "), whole = step.step.starts_with("call cpu lab::");
      if (step.op == lab.op && (gpu || whole))
        measured(gpu ? "call_gpu" : "call_cpu", std::strtod(step.more.c_str(), nullptr));
    }
}

// The sentence for how loads are done with these settings.
std::string section_of(const CudaTriton& lab, std::string_view beat) {
  if (beat == "who" && lab.layout.copies() > 1) return "who_copies";
  if (beat == "ptx" && !lab.even()) return "ptx_odd";
  return std::string(beat);
}

void ask_for_winner(const CudaTriton& lab, const Narration::Values& values, Stage& stage) {
  const TunedConfig* const winner = lab.winner();
  if (winner == nullptr) return;
  Options options;
  const std::vector<const TunedConfig*> configs = lab.configs();
  // The smallest tile, a middle one, the winner, and the last one, which spills; in the order of the list.
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (configs[i] == winner) options.right = options.words.size();
    if (configs[i] == winner || i == 0 || i == 3 || i + 1 == configs.size()) {
      options.words.push_back(configs[i]->text());
      options.keys.emplace_back(i == 0 ? "smallest" : i + 1 == configs.size() ? "largest" : "middle");
    }
  }
  ask(lab.input, values, {"winner", fmt::format("size {}", lab.size), std::move(options), {}}, stage);
}

}  // namespace

std::vector<Beat> cuda_triton_beats(const Trace&, const Walk&) {
  return {{"same", 0},     {"who", 0},     {"layout", 0},   {"ptx", 0},  {"times", 0},
          {"autotune", 0}, {"compile", 0}, {"register", 0}, {"tasks", 0}};
}

Stage cuda_triton(const SceneInput& input) {
  CudaTriton lab(input);
  std::vector<Beat> beats = cuda_triton_beats(input.trace, input.walk);
  Beat& here = beats[static_cast<std::size_t>(input.moment.value - 1)];
  const std::string beat = here.key;
  const bool missing = lab.record == nullptr;
  here.key = missing ? "none" : section_of(lab, beat);
  const Holder holder = lab.layout.holder(lab.element);
  Narration::Values values = {{"kernel", lab.kernel},
                              {"n", with_thousands(lab.n)},
                              {"block", with_thousands(lab.block)},
                              {"block_size", with_thousands(lab.layout.elements)},
                              {"warps", count_text(input.narration, "warp", lab.layout.warps)},
                              {"blocks", count_text(input.narration, "block", lab.blocks())},
                              {"instances", with_thousands(lab.instances())},
                              {"masked", with_thousands(lab.masked())},
                              {"threads", with_thousands(lab.layout.threads())},
                              {"copies", fmt::to_string(lab.layout.copies())},
                              {"element", with_thousands(lab.followed())},
                              {"warp", fmt::to_string(holder.warp)},
                              {"lane", fmt::to_string(holder.lane)},
                              {"per_thread", fmt::to_string(lab.layout.per_thread)},
                              {"loads", fmt::to_string(lab.loads())},
                              {"size", with_thousands(lab.size)},
                              {"op", lab.op}};
  if (!missing) {
    const TunedConfig* const winner = lab.winner();
    values["chosen"] = winner == nullptr ? "–" : winner->text();
    const double eager = number_of(lab, "compile", "us_eager_large");
    const double compiled = number_of(lab, "compile", "us_compiled_large");
    values["faster"] = fmt::format("{:.1f}", compiled > 0 ? eager / compiled : 0);
  }
  Stage stage = common_stage(input, CudaTriton::name, beats, values, "translator");
  FactWriter facts(input, values, stage);
  if (missing) {
    facts.missing("recordings");
    return stage;
  }
  add_facts(lab, beat, facts);
  if ((beat == "times" || beat == "ptx") && lab.triton() == nullptr) facts.missing("launch");
  set_picture(lab, beat, part(input.moment.phase, 0.05, 0.9), stage);
  stage.controls = lab.controls.take();
  if (beat == "same" || beat == "who" || beat == "layout")
    keep_controls(stage, {"kernel", "n", "block", "block_size", "warps"});
  if (beat == "ptx" || beat == "times") keep_controls(stage, {"kernel", "n", "block", "block_size", "warps"});
  if (beat == "autotune") keep_controls(stage, {"size"});
  if (beat == "compile") keep_controls(stage, {});
  if (beat == "register") keep_controls(stage, {"op"});
  if (beat == "tasks") keep_controls(stage, {"kernel", "n", "block_size", "warps"});
  if (beat == "autotune") ask_for_winner(lab, values, stage);
  return stage;
}

}  // namespace warpwalk::story
