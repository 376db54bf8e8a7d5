// The chain of ops, and the table of keys with its two ways out.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/scenes/translator/translator.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t max_shown_ops = 6;

std::string_view key_of(Decision decision) {
  switch (decision) {
    case Decision::backward: return "backward";
    case Decision::range: return "range";
    case Decision::composite: return "composite";
    case Decision::through: return "through";
    case Decision::calls: return "calls";
    case Decision::launches: return "launches";
    case Decision::quiet: return "quiet";
  }
  return {};
}

std::string_view key_of(KeyEffect effect) {
  switch (effect) {
    case KeyEffect::none: return {};
    case KeyEffect::skipped: return "skipped";
    case KeyEffect::casts: return "casts";
    case KeyEffect::records: return "records";
    case KeyEffect::marks: return "marks";
    case KeyEffect::selects: return "selects";
    case KeyEffect::composite: return "composite";
    case KeyEffect::kernel: return "kernel";
    case KeyEffect::redispatch: return "redispatch";
    case KeyEffect::perhaps: return "perhaps";
    case KeyEffect::below: return "below";
  }
  return {};
}

// "float32 1024 × 1024, 1024 × 1024".
std::string inputs_of(const Trace& trace, SliceId op) {
  const trace::OpDetail& detail = trace.ops[trace.slices.detail[op]];
  std::string dtype;
  for (const std::string& type : types_in(trace.text(detail.input_types)))
    if (!type.empty() && type != "Scalar" && type != "ScalarList" && type != "TensorList") {
      dtype = dtype_named(type);
      break;
    }
  const std::string shapes = analysis::shortened(shapes_text(trace.text(detail.input_dims)), 64);
  return dtype.empty() || shapes.empty() ? shapes : fmt::format("{}  {}", dtype, shapes);
}

// The tensors among the op's inputs, at most two.
std::vector<OpsPane::Operand> operands_of(const Trace& trace, SliceId op) {
  std::vector<OpsPane::Operand> operands;
  for (const std::vector<std::int64_t>& shape : shapes_in(trace.text(trace.ops[trace.slices.detail[op]].input_dims))) {
    if (shape.empty() || operands.size() == 2) continue;
    const double rows = shape.size() < 2 ? 1 : static_cast<double>(shape[shape.size() - 2]);
    operands.push_back({std::max(1.0, rows), std::max(1.0, static_cast<double>(shape.back())),
                        fmt::format("{}", fmt::join(shape, " × "))});
  }
  return operands;
}

std::string_view work_key(const SceneInput& input) {
  switch (input.trace.slices.kind[input.walk.kernel]) {
    case trace::SliceKind::memcpy: return "copy";
    case trace::SliceKind::memset: return "fill";
    default: return "kernel";
  }
}

// The destinations of the two ways, from the rows of the table.
std::vector<KeysPane::Door> doors_of(const SceneInput& input, const std::vector<KeyRow>& rows, double phase) {
  bool cuda = false, cpu = false, composite = false;
  for (const KeyRow& row : rows) {
    if (row.effect == KeyEffect::composite) composite = true;
    if (row.effect != KeyEffect::kernel) continue;
    const bool gpu = row.key.ends_with("CUDA");
    cuda = cuda || gpu;
    cpu = cpu || (!gpu && row.key.ends_with("CPU"));
  }
  const bool undecided = cuda && cpu;
  const auto door = [&](std::string_view key, bool taken) {
    return KeysPane::Door{translator_word(input, "door", key),
                          translator_word(input, "door", fmt::format("{}_says", key)), taken && !undecided,
                          taken ? eased(phase) * (undecided ? 0.5 : 1) : 0.0};
  };
  std::vector<KeysPane::Door> doors = {door("cuda", cuda), door("cpu", cpu)};
  if (composite) doors.push_back(door("ops", true));
  return doors;
}

}  // namespace

OpsPane ops_pane(const SceneInput& input, double phase) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  OpsPane pane;
  const auto head = [&](std::string_view key) { return translator_word(input, "head", key); };
  pane.head_inputs = head("inputs");
  pane.head_cpu = head("cpu");
  pane.head_gpu = head("gpu");
  if (!walk.ops.empty()) pane.operands = operands_of(trace, walk.ops.front());
  Narration::Values values = common_values(input);
  for (std::size_t i = 0; i < walk.ops.size(); ++i) {
    const std::size_t hidden = walk.ops.size() > max_shown_ops ? walk.ops.size() - max_shown_ops + 1 : 0;
    OpsPane::Row row;
    if (hidden > 0 && i == max_shown_ops / 2) {
      row.name = fmt::format("+ {}", hidden);
      row.meaning = translator_word(input, "decides", "more");
      row.depth = i;
      i += hidden - 1;
      pane.rows.push_back(std::move(row));
      continue;
    }
    const SliceId op = walk.ops[i];
    const Decision decision = decision_of(trace, walk, i);
    row.name = analysis::shortened(analysis::label_of(trace, op), 44);
    row.inputs = inputs_of(trace, op);
    if (i + 1 < walk.ops.size()) values["next"] = analysis::shortened(analysis::label_of(trace, walk.ops[i + 1]), 40);
    const bool view = decision == Decision::quiet && is_view(trace.name(op));
    row.meaning = translator_word(input, "decides",
                                  view                                                         ? "view"
                                  : decision == Decision::launches && is_compiled(trace, walk) ? "launches_compiled"
                                  : decision == Decision::launches ? fmt::format("launches_{}", work_key(input))
                                                                   : std::string(key_of(decision)),
                                  values);
    row.depth = std::min(i, max_shown_ops);
    pane.rows.push_back(std::move(row));
  }
  if (walk.launch != no_slice) {
    OpsPane::Row row;
    row.name = analysis::shortened(analysis::label_of(trace, walk.launch), 44);
    row.role = 'l';
    row.meaning = translator_word(input, "decides", fmt::format("order_{}", work_key(input)));
    row.depth = std::min(walk.ops.size(), max_shown_ops);
    pane.rows.push_back(std::move(row));
  }
  if (walk.kernel != no_slice) {
    OpsPane::Row row;
    row.name = analysis::shortened(analysis::label_of(trace, walk.kernel), 44);
    row.role = 'g';
    row.meaning = translator_word(input, "decides", fmt::format("runs_{}", work_key(input)));
    row.depth = std::min(walk.ops.size() + 1, max_shown_ops + 1);
    pane.rows.push_back(std::move(row));
  }
  const auto count = static_cast<double>(pane.rows.size());
  for (std::size_t r = 0; r < pane.rows.size(); ++r)
    pane.rows[r].shown = part(phase, 0.85 * static_cast<double>(r) / count, 0.85 * static_cast<double>(r + 1) / count);
  return pane;
}

KeysPane keys_pane(const SceneInput& input, const Call& call, double phase, bool functions) {
  KeysPane pane;
  const auto head = [&](std::string_view key) { return translator_word(input, "head", key); };
  pane.head_key = head("key");
  pane.head_tensors = head("tensors");
  pane.head_adds = head("adds");
  pane.head_removes = head("removes");
  pane.head_set = head("set");
  pane.head_does = head("does");
  pane.head_function = head("function");
  pane.head_instances = head("instances");
  pane.note = translator_word(input, "note", call.dispatch != nullptr && !call.set ? "recorded" : "rows");
  if (call.op != no_slice) {
    const std::string_view op = input.trace.name(call.op);
    pane.call = op.substr(op.rfind(':') + 1);
  }
  const std::vector<KeyRow> rows = rows_of(call, input.trace);
  // The end of the trace's own call, shown if the controls set another one.
  Call own = call;
  own.asked = call.recorded;
  own.set = false;
  pane.what_if =
      translator_word(input, "note", "what_if", {{"was", call.set ? end_of(rows_of(own, input.trace)) : end_of(rows)}});
  pane.set_by_person = call.set;
  pane.sources = call.dispatch == nullptr || call.set;
  for (const KeyRow& row : rows) {
    const std::string_view key = key_of(row.effect);
    pane.rows.push_back({row, key.empty() ? std::string() : translator_word(input, "effect", key), 0});
  }

  const std::size_t first = first_turn(rows), last = last_turn(rows);
  if (!functions) {
    if (pane.sources)
      for (const std::string_view key : {"tensors", "adds", "removes"})
        pane.legend.emplace_back(head(key), translator_word(input, "legend", key));
    pane.legend.emplace_back(head("set"), translator_word(input, "legend", "set"));
    // The columns fill from the left, then the highest key of the set is marked.
    pane.tensors_shown = part(phase, 0.1, 0.3);
    pane.thread_shown = part(phase, 0.3, 0.5);
    pane.set_shown = part(phase, 0.5, 0.7);
    if (phase > 0.7 && first < rows.size()) pane.cursor = static_cast<double>(first) * eased(part(phase, 0.7, 0.95));
  } else {
    pane.functions_shown = part(phase, 0, 0.25);
    // The frame moves from the highest key to the last turn; the keys that it leaves are removed.
    const double moved = eased(part(phase, 0.3, 0.75));
    if (first < rows.size()) pane.cursor = static_cast<double>(first) + moved * static_cast<double>(last - first);
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (rows[r].turn > 0 && r < last && rows[r].turn < rows[last].turn)
        pane.rows[r].passed =
            pane.cursor > static_cast<double>(r) ? std::min(1.0, pane.cursor - static_cast<double>(r)) : 0;
    pane.doors = doors_of(input, rows, part(phase, 0.7, 1));
    std::vector<std::string> dtypes;
    // PyTorch's instances. A recorded dispatch shows only the one that was called.
    if (picks_instance(input, call, rows) && (call.dispatch == nullptr || call.set))
      dtypes = instance_dtypes(input.trace.name(call.op));
    else if (picks_instance(input, call, rows) && !call.asked_dtype.empty())
      dtypes.push_back(analysis::shortened(call.asked_dtype, 16));
    if (const std::string asked = analysis::shortened(call.asked_dtype, 16);
        !dtypes.empty() && !asked.empty() && std::find(dtypes.begin(), dtypes.end(), asked) == dtypes.end())
      dtypes.push_back(asked);
    for (std::string& dtype : dtypes) {
      const bool chosen = dtype == analysis::shortened(call.asked_dtype, 16);
      pane.instances.emplace_back(std::move(dtype), chosen);
    }
    pane.instances_note = translator_word(input, "note", "instances");
  }
  return pane;
}

std::string KeysPane::row_text(const Row& row) const {
  std::string text = fmt::format("key {}: {}{}", row.key.key, row.key.set == Bit::maybe ? "(perhaps) " : "", row.does);
  if (functions_shown > 0 && !row.key.function.empty() && row.key.turn > 0)
    text += fmt::format(" [{}]", row.key.function);
  return row.key.turn > 0 ? text + fmt::format(", turn {}", row.key.turn) : text;
}

}  // namespace warpwalk::story
