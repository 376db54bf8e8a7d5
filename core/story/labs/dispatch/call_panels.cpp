// The call of warpwalk's own dispatcher, and the choice by element type.
#include <algorithm>

#include <fmt/format.h>

#include "core/story/labs/dispatch/dispatch.h"

namespace warpwalk::story {
namespace {

Role role_of(DispatchedFrame::Kind kind) {
  switch (kind) {
    case DispatchedFrame::Kind::op: return Role::op;
    case DispatchedFrame::Kind::wrapper: return Role::call;
    case DispatchedFrame::Kind::composite: return Role::python;
    case DispatchedFrame::Kind::kernel:
    case DispatchedFrame::Kind::instance: return Role::kernel;
    case DispatchedFrame::Kind::launch: return Role::launch;
  }
  return Role::op;
}

/// The macro's names of the types.
std::string_view enum_name(ops::DType dtype) {
  switch (dtype) {
    case ops::DType::f16: return "kHalf";
    case ops::DType::bf16: return "kBFloat16";
    case ops::DType::f32: return "kFloat";
    case ops::DType::f64: return "kDouble";
    case ops::DType::i32: return "kInt";
    case ops::DType::i64: return "kLong";
    default: return "";
  }
}

std::string_view cpp_name(ops::DType dtype) {
  switch (dtype) {
    case ops::DType::f16: return "c10::Half";
    case ops::DType::bf16: return "c10::BFloat16";
    case ops::DType::f32: return "float";
    case ops::DType::f64: return "double";
    case ops::DType::i32: return "int32_t";
    case ops::DType::i64: return "int64_t";
    default: return "";
  }
}

/// The same call with another element type.
TracedCall with_type(const DispatchLab& lab, ops::DType dtype) {
  CallSetting setting = lab.setting;
  setting.dtype = dtype;
  return trace_call(setting);
}

}  // namespace

std::string DispatchLab::instance_in(const TracedCall& call) {
  std::string instance;
  for (const Hop& hop : call.hops)
    if (hop.instance) instance = hop.function;
  return instance;
}

Panel frames_panel(const DispatchLab& lab, double shown) {
  TimelinePicture picture;
  picture.untimed = true;
  const TracedCall& call = lab.traced;
  const auto until = static_cast<std::int64_t>(shown * static_cast<double>(call.events) + 0.5);
  int deepest = 0;
  for (const DispatchedFrame& frame : call.frames) deepest = std::max(deepest, frame.depth);
  RowGroup group;
  group.name = lab.call_text();
  group.rows.resize(static_cast<std::size_t>(deepest) + 1);
  for (std::size_t r = 0; r < group.rows.size(); ++r)
    group.rows[r].name = lab.word("depth", {{"n", fmt::to_string(r)}});
  for (const DispatchedFrame& frame : call.frames) {
    const std::int64_t end = std::min(frame.end, until);
    if (frame.begin >= end) continue;
    Bar bar;
    bar.label = frame.label;
    if (!frame.function.empty()) bar.label += fmt::format(": {}", frame.function);
    bar.start = frame.begin;
    bar.end = end;
    bar.role = role_of(frame.kind);
    bar.followed = frame.kind != DispatchedFrame::Kind::op;
    group.rows[static_cast<std::size_t>(frame.depth)].bars.push_back(std::move(bar));
  }
  picture.groups.push_back(std::move(group));
  picture.to = static_cast<double>(std::max<std::int64_t>(1, call.events));
  picture.scale_note = lab.word("no_scale");
  picture.legend = {{Role::op, lab.word("legend_op")},
                    {Role::call, lab.word("legend_wrapper")},
                    {Role::python, lab.word("legend_composite")},
                    {Role::kernel, lab.word("legend_kernel")},
                    {Role::launch, lab.word("legend_launch")}};
  return {"", 1, std::move(picture)};
}

Panel hops_panel(const DispatchLab& lab) {
  constexpr std::size_t most_rows = 5;
  TablePicture table;
  for (const std::string_view column : {"op", "key", "effect", "function"})
    table.columns.push_back({lab.word(column), column == "function" ? 2.4 : 1.2, false, false, column == "function"});
  std::size_t left = 0;
  for (const Hop& hop : lab.traced.hops) {
    if (hop.effect == "fallthrough") continue;
    if (table.rows.size() == most_rows) {
      ++left;
      continue;
    }
    TableRow& row = table.rows.emplace_back();
    row.cells = {word_cell(lab.traced.ops[hop.op].name), word_cell(hop.key),
                 word_cell(lab.word(hop.instance ? "effect_instance" : fmt::format("effect_{}", hop.effect))),
                 word_cell(hop.function, Tone::quiet)};
    for (const std::size_t code : {0, 1}) row.cells[code].code = true;
  }
  if (left > 0) table.rows.push_back({{word_cell(lab.word("more", {{"n", fmt::to_string(left)}}))}, false});
  return {"", 1, std::move(table)};
}

Panel switch_panel(const DispatchLab& lab) {
  const LabOp& op = *lab.op;
  CodePicture code;
  if (op.type_switch.empty()) {
    code.columns = {text_column("C++", {fmt::format("// {}", lab.word("no_switch"))}, 1)};
    return {"", 1, std::move(code)};
  }
  // On the CPU, more functions have integers too.
  const bool integers = op.integers || (lab.setting.device == ops::DeviceKind::cpu && op.name != "mean");
  std::vector<std::string> lines = {
      fmt::format("AT_DISPATCH_{}_TYPES_AND2(kHalf, kBFloat16,", integers ? "ALL" : "FLOATING"),
      fmt::format("    type, \"{}\", [&] {{", op.type_switch),
      "  launch<scalar_t>(...);",
      "});",
      "",
      fmt::format("// {}", lab.word("becomes")),
      "switch (type) {"};
  std::size_t lit = 0;
  const std::string chosen = DispatchLab::instance_in(lab.traced);
  for (const ops::DType dtype : DispatchLab::dtypes) {
    if (!ops::is_float(dtype) && !integers) continue;
    lines.push_back(fmt::format("case {}: return launch<{}>(...);", enum_name(dtype), cpp_name(dtype)));
    if (chosen.ends_with(fmt::format("<{}>", ops::name_of(dtype)))) lit = lines.size();
  }
  const std::string_view refused = ops::is_float(lab.setting.dtype) || integers ? "ComplexFloat"
                                   : lab.setting.dtype == ops::DType::i32       ? "Int"
                                                                                : "Long";
  lines.emplace_back("default:");
  lines.push_back(fmt::format("  error: \"{}\" not implemented for '{}'", op.type_switch, refused));
  if (lit == 0) lit = lines.size();
  lines.emplace_back("}");
  code.columns = {text_column("C++", std::move(lines), lit)};
  code.columns[0].window.focus = lit - 1;
  return {"", 1, std::move(code)};
}

Panel types_panel(const DispatchLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("type"), 1, false, true},
                   {lab.word("instance"), 1.5},
                   {lab.word("result"), 0.8},
                   {"PyTorch 2.11", 1.3}};
  for (const ops::DType dtype : DispatchLab::dtypes) {
    const TracedCall call = with_type(lab, dtype);
    const std::string instance = DispatchLab::instance_in(call);
    TableRow& row = table.rows.emplace_back();
    row.cells = {word_cell(std::string(ops::name_of(dtype))), word_cell(instance.empty() ? "–" : instance),
                 call.error.empty() ? word_cell(call.dtype, Tone::work) : word_cell(lab.word("none"), Tone::refused)};
    row.cells[2].tip = call.error;
    const bool refused = refused_on_gpu(*lab.op, dtype) && lab.setting.device == ops::DeviceKind::cuda;
    row.cells.push_back(refused ? word_cell(lab.word("not_implemented"), Tone::refused)
                                : word_cell(lab.word("has_it"), Tone::quiet));
    row.cells[0].code = row.cells[1].code = true;
    row.followed = dtype == lab.setting.dtype;
    row.sets = {{fmt::format("{}.dtype", DispatchLab::name),
                 static_cast<double>(std::ranges::find(DispatchLab::dtypes, dtype) - std::begin(DispatchLab::dtypes))}};
  }
  return {"", 1.15, std::move(table)};
}

Panel launches_panel(const DispatchLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("kernel"), 0.8}, {"<<<grid, block>>>", 0.9}, {lab.word("why"), 2, false, false, true}};
  for (const PlannedCall& launch : lab.traced.launches) {
    TableRow& row = table.rows.emplace_back();
    row.cells = {word_cell(launch.entry),
                 word_cell(fmt::format("({}, {}, {}), ({}, {}, {})", launch.grid[0], launch.grid[1], launch.grid[2],
                                       launch.block[0], launch.block[1], launch.block[2])),
                 word_cell(launch.why, Tone::quiet)};
    row.cells[0].code = row.cells[1].code = true;
  }
  if (table.rows.empty()) {
    table.columns.resize(1);
    table.rows.push_back(
        {{word_cell(lab.word(lab.setting.device == ops::DeviceKind::cpu ? "on_cpu" : "no_launch"), Tone::quiet)},
         false});
  }
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
