#include <fmt/format.h>

#include "core/story/facts/names.h"
#include "core/story/facts/rows.h"
#include "core/story/scenes/translator/translator.h"
#include "core/story/stage/fact_writer.h"
#include "core/trace/chrome/metadata_entry.h"

namespace warpwalk::story {
namespace {

void tell_op(const SceneInput& input, const Call& call, Teller& teller) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  if (walk.ops.size() > 1) teller.counted("nested", walk.ops.size());
  const SliceId root = walk.ops.front();
  const trace::OpDetail& detail = trace.ops[trace.slices.detail[root]];
  if (const std::string shapes = shapes_text(trace.text(detail.input_dims)); !shapes.empty())
    teller.fact("shapes", teller.recorded(shortened(shapes, 44)));
  else if (detail.input_dims == 0)
    teller.lacks("shapes");
  if (!call.dtype.empty()) teller.fact("dtype", teller.recorded(call.dtype));
  if (detail.sequence != trace::absent)
    teller.fact("sequence", teller.recorded(static_cast<double>(detail.sequence), Unit::count));
}

void tell_keys(const SceneInput& input, const Call& call, Teller& teller) {
  const std::vector<KeyRow> rows = rows_of(call, input.trace);
  const std::size_t first = first_turn(rows), last = last_turn(rows);
  if (call.dispatch != nullptr && !call.set) {
    teller.fact("steps",
                Figure::recorded(static_cast<double>(call.dispatch->steps.size()), Unit::count, call.dispatch->origin));
    if (first < rows.size()) teller.fact("highest", Figure::recorded(rows[first].key, call.dispatch->origin));
    if (last < rows.size()) teller.fact("ends", Figure::recorded(rows[last].key, call.dispatch->origin));
    return;
  }
  if (!call.set) {
    if (call.recorded.backend == KeyBackend::cuda) teller.derived("backend", std::string("CUDA"));
    if (call.recorded.backend == KeyBackend::both) teller.derived("backend_both", std::string("CPU, CUDA"));
    if (call.layout_recorded) teller.derived("layout", teller.word("value", "strided"));
    if (call.recorded.mode == KeyMode::grad) teller.derived("autograd", teller.word("value", "yes"));
    if (call.recorded.mode == KeyMode::nested) teller.derived("autograd_nested", teller.word("value", "no"));
  }
  if (first < rows.size()) teller.derived("highest", rows[first].key);
  if (last < rows.size() && rows[last].turn > rows[first].turn) teller.derived("ends", end_of(rows));
  teller.lacks("keys");
  if (!call.set && call.recorded.layout == KeyLayout::unknown) teller.lacks("layout");
}

void tell_row(const SceneInput& input, const Call& call, Teller& teller) {
  const std::vector<KeyRow> rows = rows_of(call, input.trace);
  const std::size_t last = last_turn(rows);
  const bool recorded = call.dispatch != nullptr && !call.set;
  if (last < rows.size()) {
    if (recorded)
      teller.fact("ends", Figure::recorded(rows[last].key, call.dispatch->origin));
    else
      teller.derived("ends", end_of(rows));
    if (!rows[last].function.empty()) {
      if (recorded)
        teller.fact("function", Figure::recorded(shortened(rows[last].function, 40), call.dispatch->origin));
      else
        teller.fact("function", Figure::explained(rows[last].function));
    }
  }
  if (!call.asked_dtype.empty()) {
    if (call.asked_dtype == call.dtype)
      teller.fact("dtype", teller.recorded(call.dtype));
    else
      teller.fact("dtype", Figure::explained(call.asked_dtype));
  } else {
    teller.lacks("dtype");
  }
  if (picks_instance(input, call, rows)) teller.fact("dtype_role", Figure::explained(teller.word("value", "no_key")));
  if (!recorded) teller.lacks("keys");
}

void tell_name(const SceneInput& input, const Call& call, const KernelName& name, Teller& teller) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  teller.fact("kernel", teller.recorded(label_of(trace, walk.kernel)));
  teller.derived("decoded", static_cast<double>(name.decoded()), Unit::count);
  if (const auto check = tile_check(trace, walk, call, name)) {
    teller.derived("tile_blocks", fmt::format("{} × {}", check->across, check->down));
    teller.fact("grid", teller.recorded(shape_text(kernel_detail(trace, walk)->grid)));
  }
  if (const std::int64_t each = elements_a_thread(trace, walk, call, name); each > 0)
    teller.derived("elements", static_cast<double>(each), Unit::count);
}

void tell_order(const SceneInput& input, Teller& teller) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  if (walk.launch != no_slice) teller.lasts_named(label_of(trace, walk.launch), walk.launch);
  const trace::KernelDetail* kernel = kernel_detail(trace, walk);
  if (kernel == nullptr) {
    if (const auto& copy = trace.transfers[trace.slices.detail[walk.kernel]]; copy.bytes != trace::absent)
      teller.fact("bytes", teller.recorded(static_cast<double>(copy.bytes), Unit::bytes));
  } else {
    if (kernel->grid[0] > 0 && kernel->block[0] > 0) {
      double blocks = 1, threads = 1;
      for (const std::int32_t size : kernel->grid) blocks *= std::max(size, 1);
      for (const std::int32_t size : kernel->block) threads *= std::max(size, 1);
      teller.derived("blocks", blocks, Unit::count);
      teller.derived("threads", blocks * threads, Unit::count);
    } else {
      teller.lacks("grid");
    }
    if (kernel->shared_bytes != trace::absent)
      teller.fact("shared", teller.recorded(static_cast<double>(kernel->shared_bytes), Unit::bytes));
    if (kernel_record(trace, walk) == nullptr) teller.lacks("arguments");
  }
  if (walk.launch == no_slice) teller.lacks("launch");
}

/// Why `warpwalk record` kept no machine code of some kernels: its own lines, in the trace's entry "warpwalk_code".
std::vector<std::string> code_left_out(const Trace& trace) {
  constexpr std::size_t most_reasons = 8, longest_reason = 200;  // record gives fewer and shorter ones
  std::vector<std::string> reasons;
  const auto entry = trace::metadata_entry(trace, "warpwalk_code");
  if (!entry) return reasons;
  const auto lines = entry->FindMember("left_out");
  if (lines == entry->MemberEnd() || !lines->value.IsArray()) return reasons;
  for (const auto& line : lines->value.GetArray())
    if (line.IsString() && reasons.size() < most_reasons)
      reasons.push_back(shortened({line.GetString(), line.GetStringLength()}, longest_reason));
  return reasons;
}

/// The trace has no code of the kernel: what stands in for it, or why nothing does.
void tell_stand_in(const SceneInput& input, Stage& stage, Teller& teller) {
  teller.lacks("code");
  for (const std::string& reason : code_left_out(input.trace))
    stage.missing.push_back(input.narration.text("translator.missing", "code_left_out", {{"reason", reason}}));
  const HistoryView& view = input.history;
  if (view.stand_in())
    teller.named(input.narration.text("history", "fact"), Figure::explained(view.history->what));
  else if (view.state == HistoryView::State::impossible)
    stage.missing.push_back(input.narration.text("missing", "history", {{"reason", view.reason}}));
}

void tell_code(const CodePicture& pane, Teller& teller) {
  const auto& source = pane.columns[0];
  const auto& ptx = pane.columns[1];
  const auto& sass = pane.columns[2];
  if (!source.window.lines.empty())
    teller.derived("source_lines", static_cast<double>(source.window.all_lines), Unit::count);
  if (!ptx.window.lines.empty()) teller.derived("ptx_lines", static_cast<double>(ptx.window.all_lines), Unit::count);
  if (!sass.window.lines.empty()) teller.derived("sass_lines", static_cast<double>(sass.window.all_lines), Unit::count);
  if (pane.line > 0) {
    teller.derived("line", static_cast<double>(pane.line), Unit::count);
    if (ptx.window.lit_lines > 0) teller.derived("line_ptx", static_cast<double>(ptx.window.lit_lines), Unit::count);
    if (sass.window.lit_lines > 0) teller.derived("line_sass", static_cast<double>(sass.window.lit_lines), Unit::count);
  }
  if (source.window.lines.empty()) teller.lacks("source");
  if (ptx.window.lines.empty()) teller.lacks("ptx");
  if (sass.window.lines.empty()) teller.lacks("sass");
  if (pane.line == 0) teller.lacks("map");
}

}  // namespace

void translator_facts(const SceneInput& input, const Told& told, std::string_view beat, const Narration::Values& values,
                      Stage& stage) {
  const Call& call = told.call;
  Teller teller(input, values, stage);
  if (beat == "op") tell_op(input, call, teller);
  if (beat == "keys") tell_keys(input, call, teller);
  if (beat == "row") tell_row(input, call, teller);
  if (beat == "name") tell_name(input, call, told.name, teller);
  if (beat == "order") tell_order(input, teller);
  if (beat == "code") {
    const trace::Module* module = module_of(input.trace, input.walk);
    const bool any = module != nullptr && !(module->source.empty() && module->ptx.empty() && module->sass.empty());
    if (any)
      tell_code(*told.code, teller);
    else
      tell_stand_in(input, stage, teller);
    tell_announced(input, stage);
  }
  if (beat == "empty") teller.lacks("anything");
}

}  // namespace warpwalk::story
