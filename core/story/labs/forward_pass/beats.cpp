// Lab: a Linear layer from the module's call down to the kernels, frame by frame, and its backward pass.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/slices.h"
#include "core/story/facts/words/ask.h"
#include "core/story/labs/forward_pass/forward_pass.h"
#include "core/story/labs/lab.h"
#include "core/story/labs/labs.h"

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

ForwardPass::ForwardPass(const SceneInput& in) : input(in), ops(linear_ops(in.trace)) {
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

std::string percent_text(double percent) { return fmt::format("{:.0f} %", percent); }

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

void set_picture(const ForwardPass& lab, std::string_view beat, double phase, Stage& stage) {
  Panels panels;
  const double shown = part(phase, 0.05, 0.9);
  if (beat == "call") {
    panels.rows = {{1, {frames_timeline(lab, shown)}}};
  } else if (beat == "frames") {
    panels.rows = {{1, {frames_table(lab, 12)}, true}};
  } else if (beat == "shapes") {
    if (std::vector<Panel> grids = shape_panels(lab, shown); !grids.empty())
      panels.rows.push_back({1.3, std::move(grids)});
    panels.rows.push_back({1, {tensors_table(lab)}, true});
  } else if (beat == "levels") {
    panels.rows = {{1.6, {levels_timeline(lab)}}, {1, {levels_table(lab)}, true, true}};
  } else if (beat == "kernels") {
    panels.rows = {{1.2, {launches_timeline(lab, shown)}}, {1, {kernels_table(lab)}, true}};
  } else if (beat == "backward") {
    panels.rows = {{1.9, {backward_timeline(lab)}}, {1, {backward_table(lab)}, true}};
  } else {
    panels.rows = {{1, {tasks_panel(lab.input, ForwardPass::name, tasks_of(lab))}, true},
                   {1.3, {frames_table(lab, 5)}, true}};
  }
  stage.picture = std::make_shared<const Panels>(std::move(panels));
}

void add_facts(const ForwardPass& lab, std::string_view beat, FactWriter& facts) {
  const Trace& trace = lab.input.trace;
  const auto time = [&](std::string_view key, std::int64_t ns) {
    facts.derived(key, static_cast<double>(ns), Unit::nanoseconds);
  };
  const CallFrame& frame = lab.followed();
  if (beat == "frames" || beat == "tasks") {
    facts.fact("frame", facts.recorded(std::string(trace.name(frame.slice))));
    facts.duration("whole", frame.slice);
    time("own", frame.own);
    time("after", trace.slices.start[frame.slice] - lab.start());
    time("busy", gpu_busy(trace, trace.slices.start[frame.slice], trace.slices.end(frame.slice)));
  } else {
    facts.fact("layer", facts.recorded(lab.layer()));
    facts.duration("cpu", lab.call.tree.root);
    if (lab.gpu() > 0) time("gpu", lab.gpu());
  }
  if (beat == "shapes")
    if (const double count = operations(lab); count > 0)
      facts.derived("operations", with_thousands(std::llround(count)));
  if ((beat == "levels" || beat == "kernels") && lab.launch() != no_slice) {
    time("before", lab.before_launch());
    facts.derived("before_share", percent_text(percent_of(lab.before_launch(), lab.cpu())));
  }
  if (beat == "backward" && !lab.call.backward.empty()) {
    if (const std::string node = node_name(lab); !node.empty()) facts.fact("node", facts.recorded(node));
    time("backward_cpu", backward_cpu(lab));
    time("backward_gpu", backward_gpu(lab));
    facts.counted("products", products_of(lab));
  }
}

// The sentence that the trace has the data for.
std::string section_of(const ForwardPass& lab, std::string_view beat) {
  if (beat == "kernels" && lab.launch() == no_slice) return "no_kernels";
  if (beat == "backward" && lab.call.backward.empty()) return "no_backward";
  if (beat == "shapes" && lab.tensors().size() < 2) return "no_shapes";
  return std::string(beat);
}

}  // namespace

std::vector<Beat> forward_pass_beats(const Trace&, const Walk&) {
  return {{"call", 0}, {"frames", 0}, {"shapes", 0}, {"levels", 0}, {"kernels", 0}, {"backward", 0}, {"tasks", 0}};
}

Stage forward_pass(const SceneInput& input) {
  ForwardPass lab(input);
  std::vector<Beat> beats = forward_pass_beats(input.trace, input.walk);
  Beat& here = beats[static_cast<std::size_t>(input.moment.value - 1)];
  const std::string beat = here.key;
  here.key = lab.empty() ? "none" : section_of(lab, beat);
  Narration::Values values;
  if (!lab.empty()) {
    values = {{"layer", lab.layer()},
              {"number", fmt::to_string(lab.call.number)},
              {"frames", with_thousands(std::ssize(lab.call.tree.frames))},
              {"works", with_thousands(std::ssize(lab.call.tree.started))},
              {"cpu", time_text(static_cast<double>(lab.cpu()))},
              {"gpu", time_text(static_cast<double>(lab.gpu()))},
              {"frame", analysis::shortened(lab.frame_name(lab.followed()), 48)},
              {"does", lab.frame_words(lab.followed(), "long")},
              {"before", percent_text(percent_of(lab.before_launch(), lab.cpu()))},
              {"before_time", time_text(static_cast<double>(lab.before_launch()))},
              {"python", percent_text(percent_of(own_time(lab.call.tree, Level::python), lab.cpu()))},
              {"pytorch", percent_text(percent_of(own_time(lab.call.tree, Level::pytorch), lab.cpu()))},
              {"cuda", percent_text(percent_of(own_time(lab.call.tree, Level::cuda), lab.cpu()))},
              {"products", with_thousands(static_cast<std::int64_t>(products_of(lab)))},
              {"backward_cpu", time_text(static_cast<double>(backward_cpu(lab)))},
              {"backward_gpu", time_text(static_cast<double>(backward_gpu(lab)))}};
  }
  Stage stage = common_stage(input, ForwardPass::name, beats, values, "python");
  FactWriter facts(input, values, stage);
  if (lab.empty()) {
    facts.missing("linear");
    return stage;
  }
  add_facts(lab, beat, facts);
  if (here.key == "no_kernels") facts.missing("gpu");
  if (here.key == "no_backward") facts.missing("backward");
  if (here.key == "no_shapes") facts.missing("shapes");
  if (lab.call.layer.empty() && beat == "call") facts.missing("frames");
  if (here.key == beat) set_picture(lab, beat, input.moment.phase, stage);
  stage.controls = lab.controls.take();
  if (beat != "frames" && beat != "tasks")
    std::erase_if(stage.controls, [](const Control& control) { return control.name == "frame"; });
  if (beat == "levels" && lab.launch() != no_slice)
    ask(input, values,
        {"before",
         fmt::format("slice {}", lab.call.tree.root),
         range_options(input.narration, percent_of(lab.before_launch(), lab.cpu()), {25, 50, 75, 90}, "%"),
         {"layer", "cpu", "gpu"}},
        stage);
  return stage;
}

}  // namespace warpwalk::story
