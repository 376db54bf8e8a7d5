// Lab: a Linear layer from the module's call down to the kernels, frame by frame, and its backward pass.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/slices.h"
#include "core/story/labs/forward_pass/forward_pass.h"

namespace warpwalk::story {
namespace {

// The number of the call around the followed op or launch, else 0.
std::size_t followed_call(const SceneInput& in, const std::vector<SliceId>& ops) {
  for (SliceId s = in.walk.launch != no_slice ? in.walk.launch : in.walk.op; s != no_slice;
       s = in.trace.slices.parent[s])
    if (const auto found = std::ranges::find(ops, s); found != ops.end())
      return static_cast<std::size_t>(found - ops.begin());
  return 0;
}

}  // namespace

ForwardPass::ForwardPass(const SceneInput& in, const ForwardPassStart& start)
    : input(in), ops(linear_ops(in.trace)), pointed(start.pointed) {
  if (ops.empty()) return;
  const std::int64_t number = controls.slider("call", steps_by(1, static_cast<std::int64_t>(ops.size()), 1),
                                              static_cast<std::int64_t>(followed_call(in, ops)) + 1, "followed");
  call = linear_call(in.trace, ops, static_cast<std::size_t>(number - 1));
  // Without a chosen frame, the motion goes down to the launch.
  const auto& frames = call.tree.frames;
  const auto down =
      std::ranges::find_if(frames, [this](const CallFrame& one) { return one.slice == launch(); }) - frames.begin();
  const auto last = static_cast<double>(std::min<std::ptrdiff_t>(down, std::ssize(frames) - 1));
  frame = static_cast<std::size_t>(
      controls.pointed("frame", std::ssize(frames) - 1, std::llround(last * part(in.moment.phase, 0.05, 0.9))));
}

SliceId ForwardPass::launch() const {
  const StartedWork* const longest = longest_work(input.trace, call.tree);
  return longest == nullptr ? no_slice : longest->launch;
}

std::int64_t ForwardPass::before_launch() const {
  return launch() == no_slice ? 0 : input.trace.slices.start[launch()] - start();
}

std::string ForwardPass::word(std::string_view key, const Narration::Values& values) const {
  return input.narration.text(fmt::format("{}.word", name), key, values);
}

std::string ForwardPass::layer() const { return call.layer.empty() ? word("a_layer") : call.layer; }

std::string ForwardPass::frame_name(const CallFrame& one) const { return analysis::label_of(input.trace, one.slice); }

std::string ForwardPass::frame_words(const CallFrame& one, std::string_view length) const {
  const bool backward = one.what == "sum" || one.what == "evaluate" || one.what == "node";
  return input.narration.text(fmt::format("{}.{}", name, length), backward ? "op" : one.what);
}

namespace {

double percent_of(std::int64_t part, std::int64_t whole) {
  return 100 * static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(1, whole));
}

std::string layer_percent(double percent) { return fmt::format("{:.0f} %", percent); }

// Multiplications and additions of y = x Wᵀ; 0 if the shapes are not recorded.
double operations(const ForwardPass& lab) {
  const std::vector<analysis::Tensor> tensors = lab.tensors();
  if (tensors.size() < 2 || tensors[1].sizes.size() != 2) return 0;
  return 2 * static_cast<double>(tensors[0].count()) * static_cast<double>(tensors[1].sizes[0]);
}

std::int64_t backward_cpu(const ForwardPass& lab) {
  std::int64_t sum = 0;
  for (const CallTree& tree : lab.call.backward) sum += lab.input.trace.slices.duration[tree.root];
  return sum;
}

std::int64_t backward_gpu(const ForwardPass& lab) {
  std::int64_t sum = 0;
  for (const CallTree& tree : lab.call.backward) sum += gpu_time(lab.input.trace, tree);
  return sum;
}

std::size_t products_of(const ForwardPass& lab) {
  std::size_t count = 0;
  for (const CallTree& tree : lab.call.backward)
    count += static_cast<std::size_t>(
        std::ranges::count_if(tree.frames, [](const CallFrame& frame) { return frame.what == "product"; }));
  return count;
}

// The node that autograd keeps for the product: the name of the first one that ran, "AddmmBackward0".
std::string node_name(const ForwardPass& lab) {
  for (const CallTree& tree : lab.call.backward)
    for (const CallFrame& frame : tree.frames)
      if (frame.what == "node") return std::string(lab.input.trace.name(frame.slice));
  return {};
}

std::vector<Task> tasks_of(const ForwardPass& lab) {
  const auto& frames = lab.call.tree.frames;
  const bool costly =
      std::ranges::none_of(frames, [&](const CallFrame& frame) { return frame.own > lab.followed().own; });
  return {{"launches", lab.followed().slice == lab.launch()},
          {"costly", costly},
          {"view", lab.followed().what == "view" && lab.followed().own > 0},
          {"later", lab.call.number > 1},
          {"one_product", products_of(lab) == 1}};
}

using ForwardPassBeat = BeatOf<ForwardPass, ForwardPassStart>;

// How much of a motion has been shown, 0 to 1.
double shown_of(const ForwardPass& lab) { return part(lab.input.moment.phase, 0.05, 0.9); }

void time_fact(FactWriter& facts, std::string_view key, std::int64_t ns) {
  facts.derived(key, static_cast<double>(ns), Unit::nanoseconds);
}

void frame_facts(const ForwardPass& lab, FactWriter& facts) {
  const Trace& trace = lab.input.trace;
  const CallFrame& frame = lab.followed();
  facts.fact("frame", facts.recorded(std::string(trace.name(frame.slice))));
  facts.duration("whole", frame.slice);
  time_fact(facts, "own", frame.own);
  time_fact(facts, "after", trace.slices.start[frame.slice] - lab.start());
  time_fact(facts, "busy", gpu_busy(trace, trace.slices.start[frame.slice], trace.slices.end(frame.slice)));
}

void layer_facts(const ForwardPass& lab, FactWriter& facts) {
  facts.fact("layer", facts.recorded(lab.layer()));
  facts.duration("cpu", lab.call.tree.root);
  if (lab.gpu() > 0) time_fact(facts, "gpu", lab.gpu());
}

void linear_call_facts(const ForwardPass& lab, FactWriter& facts) {
  layer_facts(lab, facts);
  if (lab.call.layer.empty()) facts.missing("frames");
}

bool has_shapes(const ForwardPass& lab) { return lab.tensors().size() >= 2; }

void shape_facts(const ForwardPass& lab, FactWriter& facts) {
  layer_facts(lab, facts);
  if (const double count = operations(lab); count > 0) facts.derived("operations", with_thousands(std::llround(count)));
  if (!has_shapes(lab)) facts.missing("shapes");
}

void level_facts(const ForwardPass& lab, FactWriter& facts) {
  layer_facts(lab, facts);
  if (lab.launch() == no_slice) return;
  time_fact(facts, "before", lab.before_launch());
  facts.derived("before_share", layer_percent(percent_of(lab.before_launch(), lab.cpu())));
}

void kernel_facts(const ForwardPass& lab, FactWriter& facts) {
  level_facts(lab, facts);
  if (lab.launch() == no_slice) facts.missing("gpu");
}

void backward_facts(const ForwardPass& lab, FactWriter& facts) {
  layer_facts(lab, facts);
  if (lab.call.backward.empty()) return facts.missing("backward");
  if (const std::string node = node_name(lab); !node.empty()) facts.fact("node", facts.recorded(node));
  time_fact(facts, "backward_cpu", backward_cpu(lab));
  time_fact(facts, "backward_gpu", backward_gpu(lab));
  facts.counted("products", products_of(lab));
}

PanelRows shape_rows(const ForwardPass& lab) {
  if (!has_shapes(lab)) return {};
  PanelRows rows;
  if (std::vector<Panel> grids = shape_panels(lab, shown_of(lab)); !grids.empty())
    rows.push_back({1.3, std::move(grids)});
  rows.push_back({1, {tensors_table(lab)}, true});
  return rows;
}

PanelRows kernel_rows(const ForwardPass& lab) {
  if (lab.launch() == no_slice) return {};
  return {{1.2, {launches_timeline(lab, shown_of(lab))}}, {1, {kernels_table(lab)}, true}};
}

PanelRows backward_rows(const ForwardPass& lab) {
  if (lab.call.backward.empty()) return {};
  return {{1.9, {backward_timeline(lab)}}, {1, {backward_table(lab)}, true}};
}

std::optional<Ask> before_question(const ForwardPass& lab) {
  if (lab.launch() == no_slice) return {};
  return Ask{"before",
             fmt::format("slice {}", lab.call.tree.root),
             range_options(lab.input.narration, percent_of(lab.before_launch(), lab.cpu()), {25, 50, 75, 90}, "%"),
             {"layer", "cpu", "gpu"}};
}

Narration::Values values_of(const ForwardPass& lab) {
  const auto share = [&](Level level) { return layer_percent(percent_of(own_time(lab.call.tree, level), lab.cpu())); };
  return {{"layer", lab.layer()},
          {"number", fmt::to_string(lab.call.number)},
          {"frames", with_thousands(std::ssize(lab.call.tree.frames))},
          {"works", with_thousands(std::ssize(lab.call.tree.started))},
          {"cpu", time_text(static_cast<double>(lab.cpu()))},
          {"gpu", time_text(static_cast<double>(lab.gpu()))},
          {"frame", analysis::shortened(lab.frame_name(lab.followed()), 48)},
          {"does", lab.frame_words(lab.followed(), "long")},
          {"before", layer_percent(percent_of(lab.before_launch(), lab.cpu()))},
          {"before_time", time_text(static_cast<double>(lab.before_launch()))},
          {"python", share(Level::python)},
          {"pytorch", share(Level::pytorch)},
          {"cuda", share(Level::cuda)},
          {"products", with_thousands(static_cast<std::int64_t>(products_of(lab)))},
          {"backward_cpu", time_text(static_cast<double>(backward_cpu(lab)))},
          {"backward_gpu", time_text(static_cast<double>(backward_gpu(lab)))}};
}

// A trace without a Linear layer has only words.
std::optional<Stage> layerless_stage(ForwardPass& lab, const Here& here) {
  if (!lab.empty()) return {};
  const Narration::Values values;
  Stage stage = worded_stage(here, "none", values, "python");
  FactWriter(here.input, values, stage).missing("linear");
  return stage;
}

constexpr Frame<ForwardPass, ForwardPassStart> forward_pass_frame = {
    .subject = [](const Here& here) { return ForwardPass(here.input, here.shown<ForwardPassBeat>()->more); },
    .stop = "python",
    .otherwise = layerless_stage,
    .values = values_of,
    .complete =
        [](ForwardPass& lab, const Narration::Values&, Stage& stage) {
          stage.controls = lab.controls.take();
          if (!lab.pointed) std::erase_if(stage.controls, [](const Control& one) { return one.name == "frame"; });
        }};

constexpr ForwardPassBeat forward_pass_beats[] = {
    {.key = "call",
     .facts = linear_call_facts,
     .panels = [](const ForwardPass& lab) -> PanelRows {
       return {{1, {frames_timeline(lab, shown_of(lab))}}};
     }},
    {.key = "frames",
     .facts = frame_facts,
     .panels = [](const ForwardPass& lab) -> PanelRows {
       return {{1, {frames_table(lab, 12)}, true}};
     },
     .more = {.pointed = true}},
    {.key = "shapes",
     .section = [](const ForwardPass& lab) -> std::string { return has_shapes(lab) ? "shapes" : "no_shapes"; },
     .facts = shape_facts,
     .panels = shape_rows},
    {.key = "levels",
     .facts = level_facts,
     .panels = [](const ForwardPass& lab) -> PanelRows {
       return {{1.6, {levels_timeline(lab)}}, {1, {levels_table(lab)}, true, true}};
     },
     .question = before_question},
    {.key = "kernels",
     .section = [](const ForwardPass& lab) -> std::string {
       return lab.launch() == no_slice ? "no_kernels" : "kernels";
     },
     .facts = kernel_facts,
     .panels = kernel_rows},
    {.key = "backward",
     .section = [](const ForwardPass& lab) -> std::string {
       return lab.call.backward.empty() ? "no_backward" : "backward";
     },
     .facts = backward_facts,
     .panels = backward_rows},
    {.key = "tasks",
     .facts = frame_facts,
     .panels = [](const ForwardPass& lab) -> PanelRows {
       return {{1, {tasks_panel(lab.input, ForwardPass::name, tasks_of(lab))}, true},
               {1.3, {frames_table(lab, 5)}, true}};
     },
     .more = {.pointed = true}}};

}  // namespace

const Contents& forward_pass_lab() {
  static const BeatTable table(ForwardPass::name, forward_pass_frame, forward_pass_beats);
  return table;
}

}  // namespace warpwalk::story
