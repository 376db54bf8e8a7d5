// Lab: a call on its way through the dispatcher.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "core/gpu/device/device.h"
#include "core/story/labs/dispatch/dispatch.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {

DispatchLab::DispatchLab(const SceneInput& in) : input(in) {
  constexpr std::size_t matmul = 4;
  std::vector<std::string> ops, calls, devices, layouts, grads, mode_words;
  for (const LabOp& one : lab_ops()) ops.emplace_back(one.name);
  op = &lab_ops()[controls.choice("op", std::move(ops), matmul, "example")];
  for (const std::string_view call : op->calls) calls.emplace_back(call);
  form = controls.choice("arguments", std::move(calls), 0, "example");
  for (const std::string_view key : {"cuda", "cpu", "mixed"}) devices.push_back(word(key));
  const std::size_t device = controls.choice("device", std::move(devices), 0, "example");
  setting.device = device == 1 ? ops::DeviceKind::cpu : ops::DeviceKind::cuda;
  setting.second_on_cpu = device == 2;
  for (const std::string_view key : {"strided", "coo", "csr"}) layouts.push_back(word(key));
  setting.layout = static_cast<ops::TensorLayout>(controls.choice("layout", std::move(layouts), 0, "example"));
  setting.dtype = dtypes[static_cast<std::size_t>(controls.pointed("dtype", std::size(dtypes) - 1, 2))];
  for (const std::string_view key : {"no_grad_wanted", "grad_wanted"}) grads.push_back(word(key));
  setting.requires_grad = controls.choice("grad", std::move(grads), 1, "example") == 1;
  for (const std::string_view key : modes) mode_words.push_back(word(fmt::format("mode_{}", key)));
  setting.mode = static_cast<CallMode>(controls.choice("mode", std::move(mode_words), 0, "example"));
  setting.op = op->op;

  for (const std::string_view text : op->signatures) signatures.push_back(parse_signature(text));
  python = parse_python_call(op->calls[form]);
  parsed = parse_arguments(signatures, python);
  keys = call_keys(*op, setting);
  traced = trace_call(setting);
  bit = static_cast<int>(controls.pointed("bit", KeyBits::all - 1, std::max(0, keys.set.highest())));
}

namespace {

/// The hops at which a function was called.
std::size_t functions_called(const TracedCall& call) {
  return static_cast<std::size_t>(
      std::ranges::count_if(call.hops, [](const Hop& hop) { return hop.effect != "fallthrough" && !hop.instance; }));
}

bool ends_in_composite(const TracedCall& call) {
  return std::ranges::any_of(call.hops, [](const Hop& hop) { return hop.op == 0 && hop.effect == "composite"; });
}

std::size_t functions_of_first(const TracedCall& call) {
  return static_cast<std::size_t>(std::ranges::count_if(
      call.hops, [](const Hop& hop) { return hop.op == 0 && hop.effect != "fallthrough" && !hop.instance; }));
}

std::vector<Task> tasks_of(const DispatchLab& lab) {
  const auto called = [&](std::string_view key) {
    return std::ranges::any_of(
        lab.traced.hops, [&](const Hop& hop) { return hop.op == 0 && hop.key == key && hop.effect != "fallthrough"; });
  };
  const bool ran = lab.traced.error.empty();
  return {{"inference", ran && lab.setting.mode == CallMode::inference && !called("AutogradCUDA")},
          {"three", ran && functions_of_first(lab.traced) >= 3},
          {"select", ran && called("BackendSelect")},
          {"no_grad", ran && called("AutogradCUDA") && lab.setting.requires_grad && lab.traced.node.empty() &&
                          lab.setting.mode == CallMode::no_grad},
          {"composite", ran && ends_in_composite(lab.traced) && lab.traced.launches.empty()},
          {"missing", !ran && lab.setting.layout != ops::TensorLayout::strided}};
}

/// A key set's word for the group of a bit.
std::string group_of(int bit) {
  const std::string_view name = bit_name(bit);
  if (name.empty()) return "unused";
  if (bit < KeyBits::backends) return "backend";
  for (const auto& [prefix, group] :
       std::initializer_list<std::pair<std::string_view, std::string_view>>{{"Autocast", "autocast"},
                                                                            {"Autograd", "autograd"},
                                                                            {"FuncTorch", "functorch"},
                                                                            {"Python", "python"},
                                                                            {"ADInplaceOrView", "in_place"},
                                                                            {"BackendSelect", "select"},
                                                                            {"Dense", "dense"},
                                                                            {"Sparse", "layout"},
                                                                            {"NestedTensor", "layout"},
                                                                            {"Quantized", "layout"},
                                                                            {"MkldnnCPU", "layout"}})
    if (name.starts_with(prefix)) return std::string(group);
  return "other";
}

using DispatchBeat = BeatOf<DispatchLab>;

void binding_facts(const DispatchLab& lab, FactWriter& facts) {
  facts.counted("signatures", lab.signatures.size());
  facts.fact("taken", Figure::explained(lab.parsed.taken ? fmt::to_string(*lab.parsed.taken + 1) : lab.word("none")));
  facts.fact("gil", Figure::explained(lab.word(lab.parsed.taken ? "gil_released" : "gil_kept")));
}

void key_facts(const DispatchLab& lab, FactWriter& facts) {
  facts.derived("raw", fmt::format("0x{:016x}", lab.keys.set.raw()));
  facts.derived("highest", lab.keys.set.keys().front());
  facts.derived("first", first_called(*lab.op, lab.keys));
  facts.fact("bit", Figure::explained(fmt::format("{}: {}", lab.bit, bit_name(lab.bit))));
  facts.fact("meaning", Figure::explained(lab.word(fmt::format("group_{}", group_of(lab.bit)))));
}

void dispatched_op_facts(const DispatchLab& lab, FactWriter& facts) {
  facts.fact("dispatch", Figure::explained(std::string(lab.op->dispatch)));
}

void dispatched_call_facts(const DispatchLab& lab, FactWriter& facts) {
  facts.fact("ops", Figure::recorded(static_cast<double>(lab.traced.ops.size()), Unit::count, Origin::simulated));
  facts.fact("functions",
             Figure::recorded(static_cast<double>(functions_called(lab.traced)), Unit::count, Origin::simulated));
  facts.fact("tape", Figure::recorded(lab.traced.node.empty() ? lab.word("none") : lab.traced.node, Origin::simulated));
  if (!lab.traced.error.empty()) facts.fact("error", Figure::recorded(lab.traced.error, Origin::simulated));
}

void type_facts(const DispatchLab& lab, FactWriter& facts) {
  const std::string instance = DispatchLab::instance_in(lab.traced);
  if (instance.empty()) return;
  facts.fact("instance", Figure::recorded(instance, Origin::simulated));
  facts.fact("result",
             Figure::recorded(lab.traced.dtype.empty() ? lab.word("none") : lab.traced.dtype, Origin::simulated));
}

/// How PyTorch differs at the op or, if something is switched on, in the mode.
std::string difference_text(const DispatchLab& lab) {
  const std::string mode(DispatchLab::modes[static_cast<std::size_t>(lab.setting.mode)]);
  return lab.input.narration.text("lab/dispatch.difference", lab.setting.mode == CallMode::usual
                                                                 ? std::string(lab.op->name)
                                                                 : fmt::format("mode_{}", mode));
}

/// The keys of the set, of which one is called first.
Options key_options(const DispatchLab& lab) {
  Options options;
  const std::string first = first_called(*lab.op, lab.keys);
  for (const std::string& key : lab.keys.set.keys()) {
    if (options.words.size() == max_options) break;
    if (key == first) options.right = options.words.size();
    options.words.push_back(key);
    options.keys.push_back(key);
  }
  return options;
}

std::optional<Ask> key_question(const DispatchLab& lab) {
  Ask first{"first",
            fmt::format("{} {} {} {} {}", lab.op->name, static_cast<int>(lab.setting.device), lab.setting.second_on_cpu,
                        static_cast<int>(lab.setting.layout), static_cast<int>(lab.setting.mode)),
            key_options(lab),
            {}};
  first.hide = [](Panels& panels) {  // the bits of the set stay, without a mark on the highest one
    auto* const bits = picture_at<CellGrid>(panels, 0, 0);
    if (bits == nullptr) return;
    bits->followed.reset();
    bits->control.clear();
    for (Cell& cell : bits->cells) {
      if (cell.tone == Tone::followed) cell.tone = Tone::memory;
      cell.tip.clear();
    }
    std::erase_if(bits->legend, [](const auto& one) { return one.first == Tone::followed; });
  };
  return first;
}

Narration::Values values_of(const DispatchLab& lab) {
  const std::vector<std::string> set = lab.keys.set.keys();
  const auto counted = [&](std::string_view thing, std::size_t n) {
    return lab.word(fmt::format("{}_{}", n == 1 ? "one" : "several", thing), {{"n", fmt::to_string(n)}});
  };
  return {{"op", std::string(lab.op->name)},
          {"call", lab.call_text()},
          {"binding", std::string(lab.op->binding)},
          {"message", lab.parsed.error},
          {"first", first_called(*lab.op, lab.keys)},
          {"highest", set.empty() ? lab.word("none") : set.front()},
          {"bits", fmt::to_string(std::popcount(lab.keys.set.raw()))},
          {"ops", counted("op", lab.traced.ops.size())},
          {"functions", counted("function", functions_called(lab.traced))},
          {"instance", DispatchLab::instance_in(lab.traced)},
          {"error", lab.traced.error},
          {"difference", difference_text(lab)},
          {"dtype", std::string(ops::name_of(lab.setting.dtype))}};
}

constexpr Frame<DispatchLab> dispatch_frame = {.subject = [](const Here& here) { return DispatchLab(here.input); },
                                               .stop = "dispatch",
                                               .values = values_of,
                                               .complete = take_controls};

ControlNames key_controls(const DispatchLab&) { return {"op", "device", "layout", "mode"}; }
ControlNames op_controls(const DispatchLab&) { return {"op"}; }

constexpr DispatchBeat dispatch_beats[] = {
    {.key = "binding",
     .section = [](const DispatchLab& lab) -> std::string { return lab.parsed.taken ? "binding" : "refused"; },
     .facts = binding_facts,
     .panels = [](const DispatchLab& lab) -> PanelRows {
       return {{2.2, {binding_panel(lab, lab.input.moment.phase)}},
               {1, {signatures_panel(lab), values_panel(lab)}, true}};
     },
     .controls = [](const DispatchLab&) -> ControlNames {
       return {"op", "arguments"};
     }},
    {.key = "keys",
     .facts = key_facts,
     .panels = [](const DispatchLab& lab) -> PanelRows {
       return {{1, {bits_panel(lab)}}, {1, {sources_panel(lab, lab.input.moment.phase)}, false, true}};
     },
     .controls = key_controls,
     .question = key_question},
    {.key = "row",
     .facts = dispatched_op_facts,
     .panels = [](const DispatchLab& lab) -> PanelRows {
       return {{1, {row_panel(lab)}, true}, {1.6, {table_panel(lab)}}};
     },
     .controls = key_controls},
    {.key = "call",
     .section = [](const DispatchLab& lab) -> std::string { return lab.traced.error.empty() ? "call" : "fails"; },
     .facts = dispatched_call_facts,
     .panels = [](const DispatchLab& lab) -> PanelRows {
       return {{1, {frames_panel(lab, lab.input.moment.phase)}}};
     },
     .controls = [](const DispatchLab&) -> ControlNames {
       return {"op", "device", "layout", "grad", "mode"};
     }},
    {
        .key = "types",
        .section = [](const DispatchLab& lab) -> std::string {
          return DispatchLab::instance_in(lab.traced).empty() ? "no_instance" : "types";
        },
        .facts = type_facts,
        .panels = [](const DispatchLab& lab) -> PanelRows {
          return {{2.2, {switch_panel(lab), types_panel(lab)}, true}, {1, {launches_panel(lab)}}};
        },
        .controls = op_controls  // the type is chosen in the table
    },
    {.key = "tree",
     .facts = dispatched_op_facts,
     .panels = [](const DispatchLab& lab) -> PanelRows {
       return {{0.6, {entry_panel(lab)}}, {1.6, {tree_panel(lab)}}};
     },
     .controls = op_controls},
    {.key = "tasks",
     .facts = dispatched_call_facts,
     .panels = [](const DispatchLab& lab) -> PanelRows {
       return {{1, {tasks_panel(lab.input, DispatchLab::name, tasks_of(lab))}, true},
               {1, {hops_panel(lab)}, false, true}};
     },
     .controls = key_controls}};

}  // namespace

const Contents& dispatch_lab() {
  static const BeatTable table(DispatchLab::name, dispatch_frame, dispatch_beats);
  return table;
}

}  // namespace warpwalk::story
