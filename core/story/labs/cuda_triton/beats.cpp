// Lab: the same kernels in CUDA C++ and in Triton, from threads and program instances to measured times and PyTorch.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "core/records/hardware.h"
#include "core/story/beats/beat_of.h"
#include "core/story/labs/cuda_triton/cuda_triton.h"
#include "core/story/labs/lab_parts.h"
#include "core/story/labs/labs.h"

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
    for (const records::TunedConfig& one : record->tuned)
      if (std::ranges::find(sizes, one.size) == sizes.end()) sizes.push_back(one.size);
  if (!sizes.empty()) {
    std::vector<std::string> names;
    for (const int one : sizes) names.push_back(with_thousands(one));
    size = sizes[controls.choice("size", std::move(names), sizes.size() > 1 ? 1 : 0, "example")];
  }
  op = ops[controls.choice("op", {std::string(ops[0]), std::string(ops[1])}, 0, "example")];
  element =
      static_cast<int>(controls.pointed("element", layout.elements - 1, std::llround(37 * std::max(0.2, progress()))));
}

std::string CudaTriton::word(std::string_view key, const Narration::Values& values) const {
  return input.narration.text(fmt::format("{}.word", name), key, values);
}

std::vector<const records::TunedConfig*> CudaTriton::configs() const {
  std::vector<const records::TunedConfig*> found;
  for (const records::TunedConfig& one : record->tuned)
    if (one.size == size) found.push_back(&one);
  return found;
}

const records::TunedConfig* CudaTriton::winner() const {
  for (const records::TunedConfig& one : record->tuned)
    if (one.size == size && one.chosen) return &one;
  return nullptr;
}

namespace {

std::vector<Task> tasks_of(const CudaTriton& lab) {
  const records::KernelLaunch* const launch = lab.record == nullptr ? nullptr : lab.triton();
  return {{"vector", lab.layout.per_thread == 4 && lab.even() && lab.layout.slots() == 4},
          {"scalar", lab.layout.per_thread == 4 && !lab.even()},
          {"copies", lab.layout.copies() > 1},
          {"masked", 2 * lab.masked() > lab.layout.elements},
          {"spill", launch != nullptr && launch->spills > 0}};
}

// The line that the motion has come to.
std::size_t lit_of(const CudaTriton& lab, int lines) {
  return static_cast<std::size_t>(1 + std::lround(lab.progress() * (lines - 1)));
}

double recorded_number(const CudaTriton& lab, std::string_view op, std::string_view step) {
  const records::OpStep* const found = lab.record->find(op, step);
  return found == nullptr ? 0 : std::strtod(found->result.c_str(), nullptr);
}

void measured_fact(std::string_view key, double us, FactWriter& facts) {
  if (us > 0) facts.fact(key, Figure::recorded(1000 * us, Unit::nanoseconds, Origin::measured));
}

void size_facts(const CudaTriton& lab, FactWriter& facts) {
  facts.derived("blocks", with_thousands(lab.blocks()));
  facts.derived("instances", with_thousands(lab.instances()));
  facts.derived("masked", with_thousands(lab.masked()));
}

void element_facts(const CudaTriton& lab, FactWriter& facts) {
  const Holder holder = lab.layout.holder(lab.element);
  facts.derived("cuda_thread", lab.word("block_thread", {{"block", with_thousands(lab.followed() / lab.block)},
                                                         {"thread", with_thousands(lab.followed() % lab.block)}}));
  facts.derived("triton_thread",
                lab.word("warp_lane", {{"warp", fmt::to_string(holder.warp)}, {"lane", fmt::to_string(holder.lane)}}));
  facts.derived("slot", fmt::to_string(holder.slot));
  facts.derived("per_thread", fmt::to_string(lab.layout.per_thread));
  if (lab.layout.copies() > 1) facts.derived("copies", fmt::to_string(lab.layout.copies()));
}

void ptx_facts(const CudaTriton& lab, FactWriter& facts) {
  facts.derived("loads", fmt::to_string(lab.loads()));
  facts.derived("width", 4.0 * access_width(lab.layout, lab.n), Unit::bytes);
  if (lab.triton() == nullptr) facts.missing("launch");
}

void times_facts(const CudaTriton& lab, FactWriter& facts) {
  const records::KernelLaunch* const launch = lab.triton();
  if (launch == nullptr) return facts.missing("launch");
  measured_fact("time", launch->us, facts);
  facts.fact("registers", Figure::recorded(launch->registers, Unit::count, Origin::measured));
  facts.derived("bandwidth", 4 * lab.arrays() * launch->elements / (1000 * launch->us), Unit::gigabytes_per_second);
}

void autotune_facts(const CudaTriton& lab, FactWriter& facts) {
  const records::TunedConfig* const winner = lab.winner();
  if (winner == nullptr) return;
  facts.fact("chosen", Figure::recorded(winner->text(), Origin::measured));
  measured_fact("chosen_time", winner->autotuner_us, facts);
  facts.derived("chosen_blocks",
                std::ceil(winner->size / std::max(1.0, 1.0 * winner->block_m)) *
                    std::ceil(winner->size / std::max(1.0, 1.0 * winner->block_n)),
                Unit::count);
  facts.fact("registers", Figure::recorded(winner->registers, Unit::count, Origin::measured));
  facts.fact("shared", Figure::recorded(winner->shared, Unit::bytes, Origin::measured));
  measured_fact("cublas", winner->cublas_us, facts);
}

void compile_facts(const CudaTriton& lab, FactWriter& facts) {
  for (const std::string_view key : {"eager", "compiled", "eager_large", "compiled_large"})
    measured_fact(key, recorded_number(lab, "compile", fmt::format("us_{}", key)), facts);
}

void register_facts(const CudaTriton& lab, FactWriter& facts) {
  for (const records::OpStep& step : lab.record->steps) {
    const bool gpu = step.step.starts_with("call gpu "), whole = step.step.starts_with("call cpu lab::");
    if (step.op == lab.op && (gpu || whole))
      measured_fact(gpu ? "call_gpu" : "call_cpu", std::strtod(step.more.c_str(), nullptr), facts);
  }
}

std::optional<Ask> winner_question(const CudaTriton& lab) {
  const records::TunedConfig* const winner = lab.winner();
  if (winner == nullptr) return {};
  Options options;
  const std::vector<const records::TunedConfig*> configs = lab.configs();
  // The smallest tile, a middle one, the winner, and the last one, which spills; in the order of the list.
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (configs[i] == winner) options.right = options.words.size();
    if (configs[i] == winner || i == 0 || i == 3 || i + 1 == configs.size()) {
      options.words.push_back(configs[i]->text());
      options.keys.emplace_back(i == 0 ? "smallest" : i + 1 == configs.size() ? "largest" : "middle");
    }
  }
  return Ask{"winner", fmt::format("size {}", lab.size), std::move(options), {}};
}

Narration::Values values_of(const CudaTriton& lab) {
  const Holder holder = lab.layout.holder(lab.element);
  Narration::Values values = {{"kernel", lab.kernel},
                              {"n", with_thousands(lab.n)},
                              {"block", with_thousands(lab.block)},
                              {"block_size", with_thousands(lab.layout.elements)},
                              {"warps", count_text(lab.input.narration, "warp", lab.layout.warps)},
                              {"blocks", count_text(lab.input.narration, "block", lab.blocks())},
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
  if (lab.record == nullptr) return values;
  const records::TunedConfig* const winner = lab.winner();
  values["chosen"] = winner == nullptr ? "–" : winner->text();
  const double eager = recorded_number(lab, "compile", "us_eager_large");
  const double compiled = recorded_number(lab, "compile", "us_compiled_large");
  values["faster"] = with_marks(fmt::format("{:.1f}", compiled > 0 ? eager / compiled : 0));
  return values;
}

std::optional<MissingData> no_recordings(const CudaTriton& lab) {
  return lab.record == nullptr ? std::optional(MissingData{"recordings"}) : std::nullopt;
}

ControlNames kernel_controls(const CudaTriton&) { return {"kernel", "n", "block", "block_size", "warps"}; }

constexpr Frame<CudaTriton> cuda_triton_frame = {.subject = [](const Here& here) { return CudaTriton(here.input); },
                                                 .stop = "translator",
                                                 .values = values_of,
                                                 .complete =
                                                     [](CudaTriton& lab, const Narration::Values&, Stage& stage) {
                                                       if (lab.record != nullptr) stage.controls = lab.controls.take();
                                                     }};

constexpr BeatOf<CudaTriton> cuda_triton_beats[] = {
    {.key = "same",
     .missing = no_recordings,
     .facts = size_facts,
     .panels = [](const CudaTriton& lab) -> PanelRows {
       return {{1, {sources_panel(lab, lit_of(lab, 8))}}};
     },
     .controls = kernel_controls},
    {.key = "who",
     .missing = no_recordings,
     .section = [](const CudaTriton& lab) -> std::string { return lab.layout.copies() > 1 ? "who_copies" : "who"; },
     .facts = element_facts,
     .panels = [](const CudaTriton& lab) -> PanelRows {
       return {{1, {elements_panel(lab, false), elements_panel(lab, true)}}};
     },
     .controls = kernel_controls},
    {.key = "layout",
     .missing = no_recordings,
     .facts = element_facts,
     .panels = [](const CudaTriton& lab) -> PanelRows {
       return {{1.6, {lanes_panel(lab)}}, {1, {layout_table(lab)}, true}};
     },
     .controls = kernel_controls},
    {.key = "ptx",
     .missing = no_recordings,
     .section = [](const CudaTriton& lab) -> std::string { return lab.even() ? "ptx" : "ptx_odd"; },
     .facts = ptx_facts,
     .panels = [](const CudaTriton& lab) -> PanelRows {
       return {{1.9, {ptx_panel(lab)}}, {1, {counters_table(lab)}, true}};
     },
     .controls = kernel_controls},
    {.key = "times",
     .missing = no_recordings,
     .facts = times_facts,
     .panels = [](const CudaTriton& lab) -> PanelRows {
       return {{1, {times_panel(lab)}}};
     },
     .controls = kernel_controls},
    {.key = "autotune",
     .missing = no_recordings,
     .facts = autotune_facts,
     .panels = [](const CudaTriton& lab) -> PanelRows {
       return {{1, {autotune_panel(lab, lab.progress())}}};
     },
     .controls = [](const CudaTriton&) -> ControlNames { return {"size"}; },
     .question = winner_question},
    {.key = "compile",
     .missing = no_recordings,
     .facts = compile_facts,
     .panels = [](const CudaTriton& lab) -> PanelRows {
       return {{1, {compiled_panel(lab, lab.progress())}}};
     },
     .controls = [](const CudaTriton&) { return ControlNames{}; }},
    {.key = "register",
     .missing = no_recordings,
     .facts = register_facts,
     .panels = [](const CudaTriton& lab) -> PanelRows {
       return {{1, {registration_panel(lab, lit_of(lab, 9))}}, {1, {call_panel(lab)}}};
     },
     .controls = [](const CudaTriton&) -> ControlNames { return {"op"}; }},
    {.key = "tasks",
     .missing = no_recordings,
     .facts = size_facts,
     .panels = [](const CudaTriton& lab) -> PanelRows {
       return {{2.2, {tasks_panel(lab.input, CudaTriton::name, tasks_of(lab))}, true},
               {1, {settings_table(lab)}, true, true}};
     },
     .controls = [](const CudaTriton&) -> ControlNames {
       return {"kernel", "n", "block_size", "warps"};
     }}};

}  // namespace

const Contents& cuda_triton_lab() {
  static const BeatTable table(CudaTriton::name, cuda_triton_frame, cuda_triton_beats);
  return table;
}

}  // namespace warpwalk::story
