// The calls of a walk: their keys and types, from the records.
#include "core/story/facts/code/dispatched_call.h"

#include <algorithm>

#include "core/analysis/names/short_names.h"
#include "core/trace/link.h"

namespace warpwalk::story {
namespace {

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
  if (has_sequence_number(trace, walk.ops[index])) return KeyMode::grad;
  for (std::size_t i = 0; i < index; ++i)
    if (call_kind(trace.name(walk.ops[i])) == CallKind::op && has_sequence_number(trace, walk.ops[i]))
      return KeyMode::nested;
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

}  // namespace

const trace::OpDetail& op_detail(const Trace& trace, SliceId op) { return trace.ops[trace.slices.detail[op]]; }

bool has_sequence_number(const Trace& trace, SliceId op) { return op_detail(trace, op).sequence != trace::absent; }

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

Call call_at(const Trace& trace, const Walk& walk, std::size_t index) {
  Call call;
  call.op = walk.ops[index];
  if (index > 0) call.parent = walk.ops[index - 1];
  const trace::OpDetail& detail = op_detail(trace, call.op);
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
  return call;
}

std::optional<Call> dispatched_call(const Trace& trace, const Walk& walk) {
  for (std::size_t index = walk.ops.size(); index > 0; --index)
    if (call_kind(trace.name(walk.ops[index - 1])) == CallKind::op) return call_at(trace, walk, index - 1);
  return {};
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

std::string_view own_kernel_file(const Call& call, const Trace& trace) {
  if (call.op == no_slice) return {};
  const trace::Slices& slices = trace.slices;
  for (std::size_t i = trace::first_launched(trace, call.op); i < trace.launched.size(); ++i) {
    const auto& [launch, work] = trace.launched[i];
    if (slices.track[launch] != slices.track[call.op] || slices.start[launch] >= slices.end(call.op)) break;
    if (slices.parent[launch] != call.op || slices.kind[work] != trace::SliceKind::kernel) continue;
    const std::int64_t record = trace.kernels[slices.detail[work]].record;
    if (record < 0 || static_cast<std::size_t>(record) >= trace.records.kernels.size()) continue;
    const std::size_t module = trace.records.kernels[static_cast<std::size_t>(record)].module;
    if (module < trace.records.modules.size() && !trace.records.modules[module].source.empty())
      return trace.records.modules[module].source_file;
  }
  return {};
}

bool is_registered_by_program(const Call& call, const Trace& trace) {
  return !python_function_of(call, trace).empty() || !own_kernel_file(call, trace).empty();
}

std::vector<KeyRow> rows_of(const Call& call, const Trace& trace) {
  if (call.dispatch == nullptr || call.set) {
    std::vector<KeyRow> derived = key_table(call.asked, trace.name(call.op));
    const std::size_t end = last_turn(derived);
    if (call.set || end == derived.size()) return derived;
    if (const std::string function = python_function_of(call, trace); !function.empty())
      derived[end].function = function.substr(function.rfind(' ') + 1) + " (Python)";
    else if (!own_kernel_file(call, trace).empty())
      derived[end].function.clear();  // its name is not recorded
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

}  // namespace warpwalk::story
