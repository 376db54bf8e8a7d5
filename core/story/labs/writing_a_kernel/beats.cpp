// Lab: an op, leaky_relu, is written part by part, and each part is run.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/beats/beat_of.h"
#include "core/story/labs/dispatch/traced_call.h"
#include "core/story/labs/lab_parts.h"
#include "core/story/labs/labs.h"
#include "core/story/labs/writing_a_kernel/writing_a_kernel.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {

KernelWriting::KernelWriting(const SceneInput& in) : input(in) {
  setting.slope = static_cast<double>(controls.slider("slope", steps_by(-50, 200, 5), 10, "example")) / 100;
  setting.n = controls.slider("n", steps_growing(1, 1024), 100, "example");
  std::vector<std::string> types, layouts, words;
  for (const ops::DType dtype : dtypes) types.emplace_back(ops::name_of(dtype));
  setting.dtype = dtypes[controls.choice("dtype", std::move(types), 2, "example")];
  setting.block = controls.slider("block", steps_by(32, 256, 32), 64, "example");
  for (const std::string_view key : {"contiguous", "every_second", "every_third"}) layouts.push_back(word(key));
  setting.stride = static_cast<std::int64_t>(controls.choice("layout", std::move(layouts), 0, "example")) + 1;
  for (const std::string_view key : mistakes) words.push_back(word(fmt::format("mistake_{}", key)));
  mistake = static_cast<Mistake>(controls.choice("mistake", std::move(words), 0, "example"));
  setting.checked = mistake != Mistake::bounds;
}

namespace {

double largest_difference(const DerivativeTrial& trial) {
  double largest = 0;
  for (std::size_t i = 0; i < trial.autograd.size(); ++i)
    largest = std::max(largest, std::abs(trial.autograd[i] - trial.differences[i]));
  return largest;
}

std::vector<Task> tasks_of(const KernelWriting& lab) {
  const KernelSetting& s = lab.setting;
  return {{"stray", !s.checked && s.idle() > 0},
          {"lucky", !s.checked && s.idle() == 0},
          {"type", lab.refused()},
          {"identity", s.slope == 1},
          {"most_idle", s.blocks() > 1 && s.idle() == s.block - 1},
          {"strided", s.stride > 1 && s.n > s.block && lab.mistake == Mistake::none}};
}

/// The call of the finished op, as warpwalk's dispatcher takes it.
Panel call_panel(const KernelWriting& lab) {
  CallSetting setting;
  setting.op = "aten::leaky_relu";
  setting.dtype = lab.setting.dtype;
  const TracedCall call = trace_call(setting);
  TablePicture table;
  for (const std::string_view column : {"op", "key", "function"})
    table.columns.push_back({lab.word(column), column == "function" ? 2.0 : 1.0, false, false, column == "function"});
  for (const Hop& hop : call.hops) {
    // Its own functions, without those of the memory that it allocates.
    if (hop.op != 0 || hop.effect == "fallthrough") continue;
    table.rows.push_back(
        {{word_cell(call.ops[hop.op].name), word_cell(hop.key), word_cell(hop.function, Tone::quiet)}, false});
    for (const std::size_t cell : {0, 1}) table.rows.back().cells[cell].code = true;
  }
  return {lab.word("call_head", {{"slope", lab.slope_text()}}), 1, std::move(table)};
}

Narration::Values values_of(const KernelWriting& lab) {
  const auto count = [&](std::string_view thing, std::int64_t n) { return count_text(lab.input.narration, thing, n); };
  return {{"slope", lab.slope_text()},
          {"n", count("element", lab.setting.n)},
          {"dtype", std::string(ops::name_of(lab.setting.dtype))},
          {"blocks", count("block", lab.setting.blocks())},
          {"block", count("thread", lab.setting.block)},
          {"threads", count("thread", lab.setting.blocks() * lab.setting.block)},
          {"idle", count("thread", lab.setting.idle())},
          {"stride", fmt::to_string(lab.setting.stride)},
          {"different", with_thousands(static_cast<std::int64_t>(lab.run.different))},
          {"strays", with_thousands(static_cast<std::int64_t>(lab.run.stray))},
          {"largest", real_text(largest_difference(lab.derivative), 2)}};
}

void output_facts(const KernelWriting& lab, FactWriter& facts) {
  const double width = static_cast<double>(ops::bytes_of(lab.setting.dtype));
  facts.derived("output_bytes", static_cast<double>(lab.setting.n) * width, Unit::bytes);
  facts.derived("input_bytes", static_cast<double>((lab.setting.n - 1) * lab.setting.stride + 1) * width, Unit::bytes);
}

void kernel_facts(const KernelWriting& lab, FactWriter& facts) {
  facts.counted("blocks", static_cast<std::size_t>(lab.setting.blocks()));
  facts.counted("threads", static_cast<std::size_t>(lab.setting.blocks() * lab.setting.block));
  facts.counted("idle", static_cast<std::size_t>(lab.setting.idle()));
}

void result_facts(const KernelWriting& lab, FactWriter& facts) {
  if (lab.refused()) return;
  const auto simulated = [](double value) { return Figure::recorded(value, Unit::count, Origin::simulated); };
  facts.fact("entry", Figure::recorded(lab.run.entry, Origin::simulated));
  facts.fact("different", simulated(static_cast<double>(lab.run.different)));
  facts.fact("strays", simulated(static_cast<double>(lab.run.stray)));
  if (!lab.run.finding.empty()) facts.fact("finding", Figure::recorded(lab.run.finding, Origin::simulated));
}

void derivative_facts(const KernelWriting& lab, FactWriter& facts) {
  if (lab.mistake != Mistake::derivative)
    return facts.derived("largest", real_text(largest_difference(lab.derivative), 2));
  facts.fact("message", Figure::recorded(lab.derivative.message, Origin::simulated));
  facts.fact("pytorch", Figure::explained(lab.word("pytorch_no_derivative")));
}

std::optional<Ask> idle_question(const KernelWriting& lab) {
  Ask idle{"idle",
           fmt::format("{} {}", lab.setting.n, lab.setting.block),
           number_options(lab.input.narration, "thread", lab.setting.idle(), {}),
           {}};
  idle.hide = [](Panels& panels) {  // the code stays, without the number of blocks
    if (auto* const code = picture_at<CodePicture>(panels, 0, 0))
      for (CodeLine& line : code->columns.front().window.lines)
        if (const std::size_t at = line.text.find("  // "); at != std::string::npos) line.text.resize(at);
    panels.rows[0].panels.resize(1);
  };
  return idle;
}

/// What only one beat runs.
struct KernelTrial {
  void (*run)(KernelWriting&) = nullptr;
};

using WritingBeat = BeatOf<KernelWriting, KernelTrial>;

KernelWriting writing_of(const Here& here) {
  KernelWriting lab(here.input);
  if (const auto run = here.shown<WritingBeat>()->more.run; run != nullptr) run(lab);
  return lab;
}

constexpr Frame<KernelWriting, KernelTrial> writing_frame = {
    .subject = writing_of,
    .stop = "dispatch",
    .values = values_of,
    .complete = [](KernelWriting& lab, const Narration::Values&, Stage& stage) {
      stage.controls = lab.controls.take();
    }};

// What a mistake brings about has sections of its own.
constexpr WritingBeat writing_beats[] = {
    {.key = "schema",
     .section = [](const KernelWriting& lab) -> std::string {
       return lab.mistake == Mistake::alias ? "untold" : "schema";
     },
     .facts =
         [](const KernelWriting& lab, FactWriter& facts) {
           facts.fact("pytorch",
                      Figure::explained(lab.word(lab.mistake == Mistake::alias ? "pytorch_untold" : "pytorch_told")));
         },
     .panels = [](const KernelWriting& lab) -> PanelRows {
       return {{1, {schema_code(lab), alias_panel(lab)}}};
     },
     .controls = [](const KernelWriting&) -> ControlNames {
       return {"slope", "mistake"};
     },
     .more = {[](KernelWriting& lab) { lab.alias = try_alias(lab.mistake != Mistake::alias, lab.setting.slope); }}},
    {.key = "output",
     .facts = output_facts,
     .panels = [](const KernelWriting& lab) -> PanelRows {
       return {{1, {output_code(lab, lab.input.moment.phase)}},
               {1, {memory_panel(lab, false), memory_panel(lab, true)}}};
     },
     .controls = [](const KernelWriting&) -> ControlNames {
       return {"n", "layout", "dtype"};
     }},
    {.key = "types",
     .section = [](const KernelWriting& lab) -> std::string { return lab.refused() ? "no_case" : "types"; },
     .facts =
         [](const KernelWriting& lab, FactWriter& facts) {
           facts.fact("instances", Figure::explained(fmt::to_string(lab.mistake == Mistake::type_case ? 3 : 4)));
         },
     .panels = [](const KernelWriting& lab) -> PanelRows {
       return {{1, {types_code(lab), instances_panel(lab)}}};
     },
     .controls = [](const KernelWriting&) -> ControlNames {
       return {"dtype", "n", "mistake"};
     }},
    {.key = "kernel",
     .facts = kernel_facts,
     .panels = [](const KernelWriting& lab) -> PanelRows {
       return {{1, {kernel_code(lab, lab.input.moment.phase), threads_panel(lab)}}};
     },
     .controls = [](const KernelWriting&) -> ControlNames {
       return {"n", "block", "layout", "mistake"};
     },
     .question = idle_question},
    {.key = "result",
     .section = [](const KernelWriting& lab) -> std::string {
       return lab.refused() ? "not_run" : lab.run.finding.empty() ? "result" : "stray";
     },
     .facts = result_facts,
     .panels = [](const KernelWriting& lab) -> PanelRows {
       return {{1, {result_panel(lab), compared_panel(lab)}}};
     },
     .controls = [](const KernelWriting&) -> ControlNames {
       return {"slope", "n", "dtype", "mistake"};
     },
     .more = {[](KernelWriting& lab) {
       if (!lab.refused()) lab.run = run_kernel(lab.device(), lab.setting);
     }}},
    {.key = "derivative",
     .section = [](const KernelWriting& lab) -> std::string {
       return lab.mistake == Mistake::derivative ? "no_gradient" : "derivative";
     },
     .facts = derivative_facts,
     .panels = [](const KernelWriting& lab) -> PanelRows {
       return {{1, {derivative_code(lab), derivative_panel(lab)}}};
     },
     .controls = [](const KernelWriting&) -> ControlNames {
       return {"slope", "mistake"};
     },
     .more = {[](KernelWriting& lab) {
       lab.derivative = try_derivative(lab.mistake != Mistake::derivative, lab.setting.slope);
     }}},
    {.key = "tasks", .panels = [](const KernelWriting& lab) -> PanelRows {
       return {{1, {tasks_panel(lab.input, KernelWriting::name, tasks_of(lab))}, true},
               {0.6, {call_panel(lab)}, true, true}};
     }}};

}  // namespace

const Contents& writing_a_kernel_lab() {
  static const BeatTable table(KernelWriting::name, writing_frame, writing_beats);
  return table;
}

}  // namespace warpwalk::story
