// The call that launches the kernel: its keys and types, from the records.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/names/short_names.h"
#include "core/story/scenes/translator/translator.h"

namespace warpwalk::story {
namespace {

constexpr std::array<std::string_view, 5> dtypes = {"float32", "float64", "float16", "bfloat16",
                                                    "int64"};  // int64 is last

const trace::OpDetail& detail_of(const Trace& trace, SliceId op) { return trace.ops[trace.slices.detail[op]]; }

bool numbered(const Trace& trace, SliceId op) { return detail_of(trace, op).sequence != trace::absent; }

// The type of the first tensor of this call.
std::string first_dtype(std::string_view types) {
  for (const std::string& type : types_in(types))
    if (!type.empty() && type != "Scalar" && type != "ScalarList" && type != "TensorList") return dtype_named(type);
  return {};
}

// A strided tensor with a shape has strides; other layouts record none.
KeyLayout layout_in(std::string_view dims, std::string_view strides) {
  if (dims.empty() || strides.empty()) return KeyLayout::unknown;
  const auto shapes = shapes_in(dims), steps = shapes_in(strides);
  for (std::size_t i = 0; i < std::min(shapes.size(), steps.size()); ++i)
    if (!shapes[i].empty()) return steps[i].size() == shapes[i].size() ? KeyLayout::strided : KeyLayout::unknown;
  return KeyLayout::unknown;
}

KeyMode mode_in(const Trace& trace, const Walk& walk, std::size_t index) {
  if (numbered(trace, walk.ops[index])) return KeyMode::grad;
  for (std::size_t i = 0; i < index; ++i)
    if (call_kind(trace.name(walk.ops[i])) == CallKind::op && numbered(trace, walk.ops[i])) return KeyMode::nested;
  return KeyMode::unknown;
}

KeyBackend backend_in(const Trace& trace, const Walk& walk, SliceId op) {
  if (walk.kernel == no_slice) return KeyBackend::unknown;
  // A copy between host and GPU has a tensor on each side.
  const std::string_view name = trace.name(walk.kernel);
  const bool crosses = name.find("HtoD") != std::string_view::npos || name.find("DtoH") != std::string_view::npos;
  const bool copies = trace.slices.kind[walk.kernel] == trace::SliceKind::memcpy;
  return copies && crosses && trace.name(op) == "aten::copy_" ? KeyBackend::both : KeyBackend::cuda;
}

// The index that the control sets, limited to 0 .. last.
std::optional<std::size_t> chosen(const SceneInput& input, std::string_view control, std::size_t last) {
  const std::optional<double> value = input.set("translator", control);
  if (!value || !std::isfinite(*value)) return {};
  return static_cast<std::size_t>(std::clamp(std::round(*value), 0.0, static_cast<double>(last)));
}

}  // namespace

CallKind call_kind(std::string_view name) {
  const std::size_t colons = name.find("::");
  if (name.starts_with("autograd::") || name.starts_with("torch::autograd::")) return CallKind::backward;
  if (colons == std::string_view::npos) {
    const std::size_t word = name.rfind("Backward");
    const bool numbers =
        word != std::string_view::npos && name.find_first_not_of("0123456789", word + 8) == std::string_view::npos;
    return numbers ? CallKind::backward : CallKind::range;
  }
  const bool plain = std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(colons), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  return plain && colons > 0 ? CallKind::op : CallKind::range;
}

Decision decision_of(const Trace& trace, const Walk& walk, std::size_t index) {
  const SliceId op = walk.ops[index];
  const CallKind kind = call_kind(trace.name(op));
  if (kind == CallKind::backward) return Decision::backward;
  if (index + 1 == walk.ops.size()) return walk.kernel != no_slice ? Decision::launches : Decision::quiet;
  if (kind == CallKind::range) return Decision::range;
  const OpEntry* entry = op_entry(trace.name(op));
  if (entry != nullptr && entry->kind == OpKind::composite) return Decision::composite;
  const bool next_numbered = numbered(trace, walk.ops[index + 1]);
  // Autograd calls the next op without its keys. If the next op still went through them, this one did not.
  if (numbered(trace, op) && next_numbered) return Decision::composite;
  return numbered(trace, op) ? Decision::through : Decision::calls;
}

Call call_of(const SceneInput& input) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  Call call;
  std::size_t index = walk.ops.size();
  while (index > 0 && call_kind(trace.name(walk.ops[index - 1])) != CallKind::op) --index;
  if (index == 0) return call;
  --index;
  call.op = walk.ops[index];
  if (index > 0) call.parent = walk.ops[index - 1];
  const trace::OpDetail& detail = detail_of(trace, call.op);
  if (detail.dispatch >= 0 && static_cast<std::size_t>(detail.dispatch) < trace.records.dispatches.size())
    call.dispatch = &trace.records.dispatches[static_cast<std::size_t>(detail.dispatch)];
  if (call.dispatch != nullptr && call.dispatch->steps.empty()) call.dispatch = nullptr;
  call.recorded.backend = backend_in(trace, walk, call.op);
  call.recorded.layout = layout_in(trace.text(detail.input_dims), trace.text(detail.input_strides));
  call.layout_recorded = call.recorded.layout != KeyLayout::unknown;
  call.recorded.mode = mode_in(trace, walk, index);
  call.dtype = first_dtype(trace.text(detail.input_types));

  call.asked = call.recorded;
  call.asked_dtype = call.dtype;
  if (const auto device = chosen(input, "device", 1)) {
    call.asked.backend = *device == 0 ? KeyBackend::cuda : KeyBackend::cpu;
    call.set = true;
  }
  if (const auto layout = chosen(input, "layout", 2)) {
    call.asked.layout = static_cast<KeyLayout>(*layout);
    call.set = true;
  }
  if (const auto mode = chosen(input, "mode", 3)) {
    call.asked.mode = static_cast<KeyMode>(*mode);
    call.set = true;
  }
  if (const auto dtype = chosen(input, "dtype", instance_dtypes(trace.name(call.op)).size() - 1)) {
    call.asked_dtype = dtypes[*dtype];
    call.set = true;
  }
  return call;
}

std::string python_function_of(const Call& call, const Trace& trace) {
  if (call.op == no_slice) return {};
  const trace::Slices& slices = trace.slices;
  for (SliceId s = call.op + 1;
       s < slices.size() && slices.track[s] == slices.track[call.op] && slices.start[s] < slices.end(call.op); ++s)
    if (slices.parent[s] == call.op && slices.kind[s] == trace::SliceKind::python)
      return analysis::short_frame_name(trace.name(s));
  return {};
}

std::vector<KeyRow> rows_of(const Call& call, const Trace& trace) {
  if (call.dispatch == nullptr || call.set) {
    std::vector<KeyRow> derived = key_table(call.asked, trace.name(call.op));
    const std::size_t end = last_turn(derived);
    if (const std::string function = python_function_of(call, trace);
        !call.set && !function.empty() && end < derived.size())
      derived[end].function = function.substr(function.rfind(' ') + 1) + " (Python)";
    return derived;
  }
  std::vector<KeyRow> rows;
  const auto row_for = [&](const std::string& key) -> KeyRow& {
    const auto at = std::find_if(rows.begin(), rows.end(), [&](const KeyRow& row) { return row.key == key; });
    if (at != rows.end()) return *at;
    rows.push_back({});
    rows.back().key = key;
    rows.back().set = Bit::on;
    rows.back().effect = KeyEffect::skipped;
    return rows.back();
  };
  // The dispatcher has fewer keys and steps than this; a file with more is damaged.
  constexpr std::size_t max_keys = 64;
  const auto& all = call.dispatch->steps;
  const std::vector<trace::DispatchStep> steps(
      all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), max_keys)));
  for (const trace::DispatchStep& step : steps)
    for (const std::string& key : step.key_set)
      if (rows.size() < max_keys) row_for(key);
  int turn = 0;
  for (const trace::DispatchStep& step : steps) {
    KeyRow& row = row_for(step.key);
    row.function = step.function;
    row.effect = step.effect == "kernel"            ? KeyEffect::kernel
                 : step.effect == "composite"       ? KeyEffect::composite
                 : step.effect == "fallthrough"     ? KeyEffect::skipped
                 : step.key.starts_with("Autocast") ? KeyEffect::casts
                 : step.key.starts_with("Autograd") ? KeyEffect::records
                                                    : KeyEffect::redispatch;
    // A second step at a backend's key is its choice by element type, and belongs to the same turn.
    if (row.effect != KeyEffect::skipped && row.turn == 0) row.turn = ++turn;
  }
  // Keys that were never reached are below the end, not skipped.
  bool ended = false;
  for (KeyRow& row : rows) {
    if (ended && row.turn == 0) row.effect = KeyEffect::below;
    ended = ended || row.effect == KeyEffect::kernel || row.effect == KeyEffect::composite;
  }
  constexpr std::size_t max_rows = 14;
  for (std::size_t r = rows.size(); r > 0 && rows.size() > max_rows; --r)
    if (rows[r - 1].turn == 0) rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(r - 1));
  return rows;
}

std::string end_of(const std::vector<KeyRow>& rows) {
  const std::size_t last = last_turn(rows);
  std::string out;
  for (const KeyRow& row : rows)
    if (last < rows.size() && row.turn == rows[last].turn) out += (out.empty() ? "" : " / ") + row.key;
  return out;
}

bool picks_instance(const SceneInput& input, const Call& call, const std::vector<KeyRow>& rows) {
  const std::size_t last = last_turn(rows);
  if (last == rows.size() || rows[last].effect == KeyEffect::composite) return false;
  if (!python_function_of(call, input.trace).empty()) return false;
  const std::string_view op = input.trace.name(call.op);
  if (is_view(op) || is_factory(op)) return false;
  return input.walk.kernel == no_slice || input.trace.slices.kind[input.walk.kernel] == trace::SliceKind::kernel;
}

std::vector<std::string> instance_dtypes(std::string_view op) {
  std::vector<std::string> out(dtypes.begin(), dtypes.end());
  if (is_floating_only(op)) std::erase(out, "int64");
  return out;
}

std::string_view work_suffix(const Trace& trace, const Walk& walk) {
  switch (trace.slices.kind[walk.kernel]) {
    case trace::SliceKind::memcpy: return "copy";
    case trace::SliceKind::memset: return "fill";
    default: return "";
  }
}

bool is_compiled(const Trace& trace, const Walk& walk) {
  if (walk.ops.empty() || walk.kernel == no_slice) return false;
  const std::string_view kernel = trace.name(walk.kernel);
  return kernel.starts_with("triton_") && trace.name(walk.ops.back()) == kernel;
}

std::vector<Control> key_controls(const SceneInput& input, const Call& call, std::string_view scene, bool with_dtype) {
  std::vector<Control> controls;
  const auto word = [&](std::string_view key) { return translator_word(input, "control", key); };
  const auto add = [&](std::string_view name, std::vector<std::string> words, std::size_t value, std::string extra,
                       std::string_view source, bool hidden) {
    Control control;
    control.kind = hidden ? Control::Kind::hidden : Control::Kind::choice;
    control.name = std::string(name);
    control.label = word(name);
    control.words = std::move(words);
    if (value >= control.words.size()) {
      value = control.words.size();
      control.words.push_back(std::move(extra));
    }
    control.value = static_cast<double>(value);
    control.shown = control.words[value];
    control.set = input.set(scene, name).has_value();
    control.source = translator_word(input, "source", source);
    controls.push_back(std::move(control));
  };
  const std::string unknown = word("unknown");
  const auto backend = static_cast<std::size_t>(call.asked.backend);
  add("device", {"CUDA", "CPU"}, backend, call.asked.backend == KeyBackend::both ? "CPU + CUDA" : unknown,
      call.recorded.backend == KeyBackend::unknown ? "device_unknown" : "device", false);
  add("layout", {word("strided"), "COO", "CSR"}, static_cast<std::size_t>(call.asked.layout), unknown,
      call.layout_recorded ? "layout" : "layout_unknown", false);
  add("mode", {word("grad"), word("no_grad"), word("inference"), word("autocast")},
      static_cast<std::size_t>(call.asked.mode), call.asked.mode == KeyMode::nested ? word("nested") : unknown,
      call.recorded.mode == KeyMode::grad     ? "mode"
      : call.recorded.mode == KeyMode::nested ? "mode_nested"
                                              : "mode_unknown",
      with_dtype);
  const std::vector<std::string> offered = instance_dtypes(input.trace.name(call.op));
  std::vector<std::string> short_names = {"f32", "f64", "f16", "bf16", "i64"};
  short_names.resize(offered.size());
  const auto at = std::find(offered.begin(), offered.end(), call.asked_dtype);
  add("dtype", std::move(short_names), static_cast<std::size_t>(at - offered.begin()),
      call.asked_dtype.empty() ? unknown : analysis::shortened(call.asked_dtype, 12),
      call.dtype.empty() ? "dtype_unknown" : "dtype", !with_dtype);
  return controls;
}

std::vector<std::vector<std::int64_t>> shapes_in(std::string_view dims) {
  std::vector<std::vector<std::int64_t>> shapes;
  int depth = 0;
  std::int64_t value = -1;
  bool deep = false;
  for (const char c : dims) {
    if (c >= '0' && c <= '9') {
      value = value < 0 ? 0 : value;
      if (value < std::int64_t{1} << 56) value = value * 10 + (c - '0');
      continue;
    }
    if (value >= 0 && depth == 2 && !deep) shapes.back().push_back(value);
    value = -1;
    if (c == '[') {
      ++depth;
      if (depth == 2) {
        shapes.emplace_back();
        deep = false;
      }
      if (depth == 3) {  // a list of tensors
        deep = true;
        shapes.back().clear();
      }
    }
    if (c == ']') --depth;
    if (depth < 0) return shapes;
  }
  return shapes;
}

std::vector<std::string> types_in(std::string_view types) {
  std::vector<std::string> out;
  for (std::size_t at = types.find('"'); at != std::string_view::npos;) {
    const std::size_t end = types.find('"', at + 1);
    if (end == std::string_view::npos) break;
    out.emplace_back(types.substr(at + 1, end - at - 1));
    at = types.find('"', end + 1);
  }
  return out;
}

std::string dtype_named(std::string_view type) {
  struct Name {
    std::string_view cpp, torch;
  };
  constexpr Name names[] = {
      {"float", "float32"},  {"double", "float64"},   {"c10::Half", "float16"},   {"c10::BFloat16", "bfloat16"},
      {"long int", "int64"}, {"long", "int64"},       {"int", "int32"},           {"short int", "int16"},
      {"short", "int16"},    {"signed char", "int8"}, {"unsigned char", "uint8"}, {"bool", "bool"}};
  for (const Name& name : names)
    if (name.cpp == type) return std::string(name.torch);
  return std::string(type);
}

std::optional<TileCheck> tile_check(const Trace& trace, const Walk& walk, const Call& call,
                                    const analysis::KernelName& name) {
  const trace::KernelDetail* kernel = kernel_detail(trace, walk);
  if (!name.tile || kernel == nullptr || kernel->grid[0] <= 0 || call.op == no_slice) return {};
  const std::string_view op = trace.name(call.op);
  const auto shapes = shapes_in(trace.text(detail_of(trace, call.op).input_dims));
  const std::size_t first = op == "aten::mm" ? 0 : op == "aten::addmm" ? 1 : shapes.size();
  if (first + 1 >= shapes.size() || shapes[first].size() != 2 || shapes[first + 1].size() != 2) return {};
  TileCheck check;
  check.m = shapes[first][0];
  check.n = shapes[first + 1][1];
  if (check.m <= 0 || check.n <= 0) return {};
  const auto blocks = [](std::int64_t size, std::int64_t tile) { return (size + tile - 1) / tile; };
  check.grid = 1;
  for (const std::int32_t size : kernel->grid) check.grid *= std::max(size, 1);
  // BLAS stores matrices by columns, so the result's rows can be along either side of the tile.
  const TileCheck swapped = {check.n, check.m, blocks(check.n, name.tile->m), blocks(check.m, name.tile->n),
                             check.grid};
  check.across = blocks(check.m, name.tile->m);
  check.down = blocks(check.n, name.tile->n);
  const auto fits = [&](const TileCheck& c) { return c.across == kernel->grid[0] && c.down == kernel->grid[1]; };
  if (fits(swapped) && !fits(check)) return swapped;
  return fits(check) || check.times() > 0 || swapped.times() == 0 ? check : swapped;
}

std::int64_t elements_a_thread(const Trace& trace, const Walk& walk, const Call& call,
                               const analysis::KernelName& name) {
  const trace::KernelDetail* kernel = kernel_detail(trace, walk);
  if (!name.vector_width || kernel == nullptr || call.op == no_slice) return 0;
  std::int64_t maximum = 0;
  for (const auto& shape : shapes_in(trace.text(detail_of(trace, call.op).input_dims))) {
    if (shape.empty()) continue;
    double elements = 1;
    for (const std::int64_t size : shape) elements *= static_cast<double>(size);
    if (elements < 1e15) maximum = std::max(maximum, static_cast<std::int64_t>(elements));
  }
  double threads = 1;
  for (const std::int32_t size : kernel->grid) threads *= std::max(size, 1);
  for (const std::int32_t size : kernel->block) threads *= std::max(size, 1);
  if (kernel->grid[0] <= 0 || kernel->block[0] <= 0 || threads > 1e15) return 0;
  const auto whole = static_cast<std::int64_t>(threads);
  return maximum % whole == 0 ? maximum / whole : 0;
}

std::string about_kernel(const Trace& trace, const Walk& walk) {
  const trace::Module* const module = module_of(trace, walk);
  std::string about;
  for (std::string_view rest = module == nullptr ? std::string_view() : module->source.view();
       rest.starts_with("//");) {
    std::string_view line = rest.substr(2, rest.find('\n') - 2);
    rest.remove_prefix(std::min(rest.size(), line.size() + 3));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty()) break;
    about += (about.empty() ? "" : " ") + std::string(line);
  }
  return analysis::shortened(about, 200);
}

const trace::Module* module_of(const Trace& trace, const Walk& walk) {
  const trace::KernelRecord* record = kernel_record(trace, walk);
  return record != nullptr && record->module < trace.records.modules.size() ? &trace.records.modules[record->module]
                                                                            : nullptr;
}

bool has_machine_code(const trace::Module& module) { return !module.sass.empty() || !module.cubin.empty(); }

std::string translator_word(const SceneInput& input, std::string_view kind, std::string_view key,
                            const Narration::Values& values) {
  return input.narration.text(fmt::format("translator.{}", kind), key, values);
}

}  // namespace warpwalk::story
