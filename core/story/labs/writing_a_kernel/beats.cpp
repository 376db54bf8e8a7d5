// Lab: an op, leaky_relu, is written part by part, and each part is run.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/facts/words/ask.h"
#include "core/story/labs/dispatch/traced_call.h"
#include "core/story/labs/lab.h"
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

/// Everything that a beat runs.
struct Trials {
  KernelRun run;
  AliasTrial alias;
  DerivativeTrial derivative;
};

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

void set_picture(const KernelWriting& lab, std::string_view beat, double shown, const Trials& trials, Stage& stage) {
  Panels panels;
  if (beat == "schema" || beat == "untold")
    panels.rows = {{1, {schema_code(lab), alias_panel(lab, trials.alias)}}};
  else if (beat == "output")
    panels.rows = {{1, {output_code(lab, shown)}}, {1, {memory_panel(lab, false), memory_panel(lab, true)}}};
  else if (beat == "types" || beat == "no_case")
    panels.rows = {{1, {types_code(lab), instances_panel(lab)}}};
  else if (beat == "kernel")
    panels.rows = {{1, {kernel_code(lab, shown), threads_panel(lab)}}};
  else if (beat == "result" || beat == "stray" || beat == "not_run")
    panels.rows = {{1, {result_panel(lab, trials.run), compared_panel(lab, trials.run)}}};
  else if (beat == "derivative" || beat == "no_gradient")
    panels.rows = {{1, {derivative_code(lab), derivative_panel(lab, trials.derivative)}}};
  else
    panels.rows = {{1, {tasks_panel(lab.input, KernelWriting::name, tasks_of(lab))}, true},
                   {0.6, {call_panel(lab)}, true, true}};
  stage.picture = std::make_shared<const Panels>(std::move(panels));
}

void add_facts(const KernelWriting& lab, std::string_view beat, const Trials& trials, FactWriter& facts) {
  const auto simulated = [](double value) { return Figure::recorded(value, Unit::count, Origin::simulated); };
  if (beat == "schema" || beat == "untold")
    facts.fact("pytorch", Figure::explained(lab.word(beat == "untold" ? "pytorch_untold" : "pytorch_told")));
  if (beat == "output") {
    const double width = static_cast<double>(ops::bytes_of(lab.setting.dtype));
    facts.derived("output_bytes", static_cast<double>(lab.setting.n) * width, Unit::bytes);
    facts.derived("input_bytes", static_cast<double>((lab.setting.n - 1) * lab.setting.stride + 1) * width,
                  Unit::bytes);
  }
  if (beat == "types" || beat == "no_case")
    facts.fact("instances", Figure::explained(fmt::to_string(lab.mistake == Mistake::type_case ? 3 : 4)));
  if (beat == "kernel") {
    facts.counted("blocks", static_cast<std::size_t>(lab.setting.blocks()));
    facts.counted("threads", static_cast<std::size_t>(lab.setting.blocks() * lab.setting.block));
    facts.counted("idle", static_cast<std::size_t>(lab.setting.idle()));
  }
  if (beat == "result" || beat == "stray") {
    facts.fact("entry", Figure::recorded(trials.run.entry, Origin::simulated));
    facts.fact("different", simulated(static_cast<double>(trials.run.different)));
    facts.fact("strays", simulated(static_cast<double>(trials.run.stray)));
    if (!trials.run.finding.empty()) facts.fact("finding", Figure::recorded(trials.run.finding, Origin::simulated));
  }
  if (beat == "derivative") facts.derived("largest", real_text(largest_difference(trials.derivative), 2));
  if (beat == "no_gradient") {
    facts.fact("message", Figure::recorded(trials.derivative.message, Origin::simulated));
    facts.fact("pytorch", Figure::explained(lab.word("pytorch_no_derivative")));
  }
}

void keep_used(std::string_view beat, Stage& stage) {
  if (beat == "schema" || beat == "untold")
    keep_controls(stage, {"slope", "mistake"});
  else if (beat == "output")
    keep_controls(stage, {"n", "layout", "dtype"});
  else if (beat == "types" || beat == "no_case")
    keep_controls(stage, {"dtype", "n", "mistake"});
  else if (beat == "kernel")
    keep_controls(stage, {"n", "block", "layout", "mistake"});
  else if (beat == "result" || beat == "stray" || beat == "not_run")
    keep_controls(stage, {"slope", "n", "dtype", "mistake"});
  else if (beat == "derivative" || beat == "no_gradient")
    keep_controls(stage, {"slope", "mistake"});
}

/// The section of a beat: what a mistake brings about has words of its own.
std::string section_of(const std::string& beat, const KernelWriting& lab, const Trials& trials) {
  if (beat == "schema" && lab.mistake == Mistake::alias) return "untold";
  if (beat == "types" && lab.refused()) return "no_case";
  if (beat == "result" && lab.refused()) return "not_run";
  if (beat == "result" && !trials.run.finding.empty()) return "stray";
  if (beat == "derivative" && lab.mistake == Mistake::derivative) return "no_gradient";
  return beat;
}

}  // namespace

std::vector<Beat> writing_a_kernel_beats(const Trace&, const Walk&) {
  return {{"schema", 0}, {"output", 0}, {"types", 0}, {"kernel", 0}, {"result", 0}, {"derivative", 0}, {"tasks", 0}};
}

Stage writing_a_kernel(const SceneInput& input) {
  KernelWriting lab(input);
  std::vector<Beat> beats = writing_a_kernel_beats(input.trace, input.walk);
  Beat& here = beats[static_cast<std::size_t>(input.moment.value - 1)];
  Trials trials;
  if (here.key == "schema") trials.alias = try_alias(lab.mistake != Mistake::alias, lab.setting.slope);
  if (here.key == "result" && !lab.refused()) trials.run = run_kernel(lab.device(), lab.setting);
  if (here.key == "derivative")
    trials.derivative = try_derivative(lab.mistake != Mistake::derivative, lab.setting.slope);
  here.key = section_of(here.key, lab, trials);
  const std::string beat = here.key;
  const auto count = [&](std::string_view thing, std::int64_t n) { return count_text(input.narration, thing, n); };
  const Narration::Values values = {{"slope", lab.slope_text()},
                                    {"n", count("element", lab.setting.n)},
                                    {"dtype", std::string(ops::name_of(lab.setting.dtype))},
                                    {"blocks", count("block", lab.setting.blocks())},
                                    {"block", count("thread", lab.setting.block)},
                                    {"threads", count("thread", lab.setting.blocks() * lab.setting.block)},
                                    {"idle", count("thread", lab.setting.idle())},
                                    {"stride", fmt::to_string(lab.setting.stride)},
                                    {"different", with_thousands(static_cast<std::int64_t>(trials.run.different))},
                                    {"strays", with_thousands(static_cast<std::int64_t>(trials.run.stray))},
                                    {"largest", real_text(largest_difference(trials.derivative), 2)}};
  Stage stage = common_stage(input, KernelWriting::name, beats, values, "dispatch");
  FactWriter facts(input, values, stage);
  add_facts(lab, beat, trials, facts);
  set_picture(lab, beat, input.moment.phase, trials, stage);
  stage.controls = lab.controls.take();
  keep_used(beat, stage);
  if (beat == "kernel") {
    Ask idle{"idle",
             fmt::format("{} {}", lab.setting.n, lab.setting.block),
             number_options(input.narration, "thread", lab.setting.idle(), {}),
             {}};
    idle.hide = [](Panels& panels) {  // the code stays, without the number of blocks
      if (auto* const code = picture_at<CodePicture>(panels, 0, 0))
        for (CodeLine& line : code->columns.front().window.lines)
          if (const std::size_t at = line.text.find("  // "); at != std::string::npos) line.text.resize(at);
      panels.rows[0].panels.resize(1);
    };
    ask(input, values, idle, stage);
  }
  return stage;
}

}  // namespace warpwalk::story
