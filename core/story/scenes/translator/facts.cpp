#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/kernels/library_call.h"
#include "core/analysis/names/short_names.h"
#include "core/analysis/names/stand_in.h"
#include "core/analysis/slices.h"
#include "core/run/replay/history.h"
#include "core/run/replay/time_travel.h"
#include "core/story/elements/figure.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/scenes/translator/translator.h"
#include "core/trace/metadata_entry.h"

namespace warpwalk::story {
namespace {

/// The reasons why `warpwalk record` kept no machine code of some kernels: its own lines, in the trace's entry
/// "warpwalk_code".
std::vector<std::string> code_left_out(const Trace& trace) {
  constexpr std::size_t max_reasons = 8, longest_reason = 200;  // `warpwalk record` writes fewer and shorter ones
  std::vector<std::string> reasons;
  const auto entry = trace::metadata_entry(trace, "warpwalk_code");
  if (!entry) return reasons;
  const auto lines = entry->FindMember("left_out");
  if (lines == entry->MemberEnd() || !lines->value.IsArray()) return reasons;
  for (const auto& line : lines->value.GetArray())
    if (line.IsString() && reasons.size() < max_reasons)
      reasons.push_back(analysis::shortened({line.GetString(), line.GetStringLength()}, longest_reason));
  return reasons;
}

/// Used if the trace lacks the kernel's code: adds the stand-in, or the reason why none is available.
void add_stand_in(const SceneInput& input, FactWriter& facts) {
  facts.missing("code");
  for (const std::string& reason : code_left_out(input.trace))
    facts.stage().missing.push_back(input.narration.text("translator.missing", "code_left_out", {{"reason", reason}}));
  const HistoryView& view = input.history;
  if (view.stand_in())
    facts.named(input.narration.text("history", "fact"),
                Figure::explained(stand_in_text(input.narration, *view.history)));
  else if (view.state == HistoryView::State::impossible)
    facts.stage().missing.push_back(input.narration.text("missing", "history", {{"reason", history_reason(input)}}));
}

/// The source of the machine code: the module's cubin, or the source that the trace gives for a recorded text.
void add_code_source(const SceneInput& input, bool decoded, FactWriter& facts) {
  if (decoded) return facts.derived("code", facts.word("value", "from_cubin"));
  for (const trace::Source& source : input.trace.records.sources)
    if (source.what == "sass")
      return facts.fact("code", Figure::recorded(analysis::shortened(source.by, 60), source.origin));
}

void add_code(const SceneInput& input, const CodePicture& pane, FactWriter& facts) {
  const auto& source = pane.columns[0];
  const auto& ptx = pane.columns[1];
  const auto& sass = pane.columns[2];
  if (!source.window.lines.empty())
    facts.derived("source_lines", static_cast<double>(source.window.all_lines), Unit::count);
  if (!ptx.window.lines.empty()) facts.derived("ptx_lines", static_cast<double>(ptx.window.all_lines), Unit::count);
  if (!sass.window.lines.empty()) facts.derived("sass_lines", static_cast<double>(sass.window.all_lines), Unit::count);
  if (!sass.window.lines.empty()) add_code_source(input, pane.decoded, facts);
  if (pane.line > 0) {
    facts.derived("line", static_cast<double>(pane.line), Unit::count);
    if (ptx.window.lit_lines > 0) facts.derived("line_ptx", static_cast<double>(ptx.window.lit_lines), Unit::count);
    if (sass.window.lit_lines > 0) facts.derived("line_sass", static_cast<double>(sass.window.lit_lines), Unit::count);
  }
  if (source.window.lines.empty()) facts.missing("source");
  if (ptx.window.lines.empty()) facts.missing("ptx");
  if (sass.window.lines.empty()) facts.missing("sass");
  if (!sass.window.lines.empty() && !pane.decoded) facts.missing("scheduling");
  if (pane.line == 0) facts.missing("map");
}

/// Why there are no figures by line.
void add_missing_lines(const SceneInput& input, FactWriter& facts) {
  const HistoryView& view = input.history;
  std::string reason = view.state == HistoryView::State::impossible ? history_reason(input) : view.no_travel;
  if (view.stand_in()) reason = view.history->stands_in_because;
  if (!reason.empty())
    facts.stage().missing.push_back(input.narration.text("missing", "history", {{"reason", reason}}));
}

/// The sums of the columns, and the chosen line's share.
void add_lines(const CostedLines& lines, bool estimated, FactWriter& facts) {
  const auto simulated = [&](std::string_view key, std::uint64_t value) {
    facts.fact(key, Figure::recorded(static_cast<double>(value), Unit::count, Origin::simulated));
  };
  facts.derived("costly_line", lines.percent, Unit::percent);
  simulated("line_instructions", lines.total.instructions);
  simulated("line_stall", lines.total.stalled());
  simulated("line_sectors", lines.total.accesses.global_sectors);
  simulated("line_ideal", lines.total.accesses.ideal_sectors);
  simulated("line_conflicts", lines.total.accesses.bank_conflicts);
  if (estimated) facts.fact("line_code", Figure::explained(facts.word("value", "from_ptx")));
}

}  // namespace

void op_facts(const TranslatorSubject& s, FactWriter& facts) {
  const Trace& trace = s.trace();
  const Walk& walk = s.walk();
  if (walk.ops.size() > 1) facts.counted("nested", walk.ops.size());
  const SliceId root = walk.ops.front();
  const trace::OpDetail& detail = trace.ops[trace.slices.detail[root]];
  if (const std::string shapes = shapes_text(trace.text(detail.input_dims)); !shapes.empty())
    facts.fact("shapes", facts.recorded(analysis::shortened(shapes, 44)));
  else if (detail.input_dims == 0)
    facts.missing("shapes");
  if (!s.call.dtype.empty()) facts.fact("dtype", facts.recorded(s.call.dtype));
  if (detail.sequence != trace::absent)
    facts.fact("sequence", facts.recorded(static_cast<double>(detail.sequence), Unit::count));
}

void keys_facts(const TranslatorSubject& s, FactWriter& facts) {
  const Call& call = s.call;
  const std::vector<KeyRow>& rows = s.rows;
  const std::size_t first = first_turn(rows), last = last_turn(rows);
  if (call.dispatch != nullptr && !call.set) {
    const auto called = std::ranges::count_if(rows, [](const KeyRow& row) { return row.turn > 0; });
    facts.derived("called", static_cast<double>(called), Unit::count);
    if (first < rows.size()) facts.fact("highest", Figure::recorded(rows[first].key, call.dispatch->origin));
    if (last < rows.size()) facts.fact("ends", Figure::recorded(rows[last].key, call.dispatch->origin));
    return;
  }
  if (!call.set) {
    if (call.recorded.backend == KeyBackend::cuda) facts.derived("backend", std::string("CUDA"));
    if (call.recorded.backend == KeyBackend::both) facts.derived("backend_both", std::string("CPU, CUDA"));
    if (call.layout_recorded) facts.derived("layout", facts.word("value", "strided"));
    if (call.recorded.mode == KeyMode::grad) facts.derived("autograd", facts.word("value", "yes"));
    if (call.recorded.mode == KeyMode::nested) facts.derived("autograd_nested", facts.word("value", "no"));
  }
  if (first < rows.size()) facts.derived("highest", rows[first].key);
  if (last < rows.size() && rows[last].turn > rows[first].turn) facts.derived("ends", end_of(rows));
  if (call.dispatch == nullptr) facts.missing("keys");
  if (!call.set && call.recorded.layout == KeyLayout::unknown) facts.missing("layout");
}

void row_facts(const TranslatorSubject& s, FactWriter& facts) {
  const Call& call = s.call;
  const std::vector<KeyRow>& rows = s.rows;
  const std::size_t last = last_turn(rows);
  const bool recorded = call.dispatch != nullptr && !call.set;
  if (last < rows.size()) {
    if (recorded)
      facts.fact("ends", Figure::recorded(rows[last].key, call.dispatch->origin));
    else
      facts.derived("ends", end_of(rows));
    if (!rows[last].function.empty()) {
      if (const std::string python = python_function_of(call, s.trace()); !python.empty() && !call.set)
        facts.fact("function", facts.recorded(analysis::shortened(python, 40)));
      else if (recorded)
        facts.fact("function", Figure::recorded(analysis::shortened(rows[last].function, 40), call.dispatch->origin));
      else
        facts.fact("function", Figure::explained(rows[last].function));
    }
  }
  if (!call.asked_dtype.empty()) {
    if (call.asked_dtype == call.dtype)
      facts.fact("dtype", facts.recorded(call.dtype));
    else
      facts.fact("dtype", Figure::explained(call.asked_dtype));
  } else {
    facts.missing("dtype");
  }
  if (picks_instance(s.input, call, rows)) facts.fact("dtype_role", Figure::explained(facts.word("value", "no_key")));
  if (call.dispatch == nullptr) facts.missing("keys");
}

/// The library for which the kernel stands in.
void add_stand_in(const TranslatorSubject& s, FactWriter& facts) {
  if (const std::string_view library = analysis::stood_in_library(s.trace().name(s.walk().kernel)); !library.empty())
    facts.derived("stands_in", std::string(library));
  if (const std::string time = analysis::library_time_source(s.trace(), s.walk().kernel); !time.empty())
    facts.fact("time_source", facts.recorded(time));
}

void name_facts(const TranslatorSubject& s, FactWriter& facts) {
  const Trace& trace = s.trace();
  const Walk& walk = s.walk();
  facts.fact("kernel", facts.recorded(analysis::label_of(trace, walk.kernel)));
  add_stand_in(s, facts);
  const NamePane pane = name_pane(s.input, s.call, s.name, 1);
  const auto decoded = std::ranges::count_if(
      pane.parts, [](const NamePane::Part& part) { return part.decoded && !part.meaning.empty(); });
  facts.derived("decoded", static_cast<double>(decoded), Unit::count);
  if (const auto check = tile_check(trace, walk, s.call, s.name)) {
    facts.derived("tile_blocks", fmt::format("{} × {}", check->across, check->down));
    facts.fact("grid", facts.recorded(analysis::shape_text(kernel_detail(trace, walk)->grid)));
  }
  if (const std::int64_t each = elements_a_thread(trace, walk, s.call, s.name); each > 0)
    facts.derived("elements", static_cast<double>(each), Unit::count);
}

void order_facts(const TranslatorSubject& s, FactWriter& facts) {
  const Trace& trace = s.trace();
  const Walk& walk = s.walk();
  if (walk.launch != no_slice) facts.duration_named(analysis::label_of(trace, walk.launch), walk.launch);
  add_stand_in(s, facts);
  const trace::KernelDetail* kernel = kernel_detail(trace, walk);
  if (kernel == nullptr) {
    if (const auto& copy = trace.transfers[trace.slices.detail[walk.kernel]]; copy.bytes != trace::absent)
      facts.fact("bytes", facts.recorded(static_cast<double>(copy.bytes), Unit::bytes));
  } else {
    if (kernel->grid[0] > 0 && kernel->block[0] > 0) {
      double blocks = 1, threads = 1;
      for (const std::int32_t size : kernel->grid) blocks *= std::max(size, 1);
      for (const std::int32_t size : kernel->block) threads *= std::max(size, 1);
      facts.derived("blocks", blocks, Unit::count);
      facts.derived("threads", blocks * threads, Unit::count);
    } else {
      facts.missing("grid");
    }
    if (kernel->shared_bytes != trace::absent)
      facts.fact("shared", facts.recorded(shared_bytes_text(kernel->shared_bytes)));
    if (kernel_record(trace, walk) == nullptr) facts.missing("arguments");
  }
  if (walk.launch == no_slice) facts.missing("launch");
}

void code_facts(const TranslatorSubject& s, FactWriter& facts) {
  const trace::Module* module = module_of(s.trace(), s.walk());
  if (module != nullptr && (!module->source.empty() || !module->ptx.empty() || has_machine_code(*module)))
    add_code(s.input, *s.code, facts);
  else
    add_stand_in(s.input, facts);
  add_replay_facts(s.input, facts.stage());
}

void instruction_facts(const TranslatorSubject& s, FactWriter& facts) {
  const InstructionPane& pane = *s.instruction;
  if (!pane.missing.empty()) return facts.missing("cubin");
  add_code_source(s.input, true, facts);
  facts.derived("sass_lines", static_cast<double>(pane.count), Unit::count);
  facts.derived("live", static_cast<double>(pane.rows[pane.focus].live), Unit::count);
  facts.derived("peak", static_cast<double>(pane.peak), Unit::count);
  facts.derived("peak_at", pane.peak_address);
  facts.derived("allocated", static_cast<double>(pane.allocated), Unit::count);
}

void lines_facts(const TranslatorSubject& s, FactWriter& facts) {
  if (s.lines)
    add_lines(*s.lines, s.input.history.travel->timing().estimated, facts);
  else
    add_missing_lines(s.input, facts);
  add_replay_facts(s.input, facts.stage());
}

}  // namespace warpwalk::story
