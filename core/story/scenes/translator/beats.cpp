// Scene 2: the op becomes machine code.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/kernels/library_call.h"
#include "core/analysis/names/short_names.h"
#include "core/analysis/names/stand_in.h"
#include "core/run/replay/history.h"
#include "core/story/facts/code/linked_code.h"
#include "core/story/facts/launch/launch_call.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/scenes.h"
#include "core/story/scenes/translator/translator.h"

namespace warpwalk::story {
namespace {

using trace::SliceKind;

// Most beats explain one thing. The call passes one key after the other; a name and a launch have several parts.
constexpr double usual_seconds = 2.5, parts_seconds = 3, keys_seconds = 4;

TranslatorSubject way_subject(const Here& here) {
  const SceneInput& input = here.input;
  TranslatorSubject s{here, input, call_of(input), {}, {}, {}, {}, {}};
  if (s.call.op != no_slice) s.rows = rows_of(s.call, input.trace);
  if (input.walk.kernel != no_slice) s.name = analysis::read_kernel_name(input.trace.name(input.walk.kernel));
  return s;
}

TranslatorSubject code_subject(const Here& here) {
  TranslatorSubject s = way_subject(here);
  s.code = code_pane(here.input);
  return s;
}

TranslatorSubject instruction_subject(const Here& here) {
  TranslatorSubject s = code_subject(here);
  s.instruction = instruction_pane(here.input);
  return s;
}

TranslatorSubject lines_subject(const Here& here) {
  TranslatorSubject s = code_subject(here);
  if (here.input.moment.phase < pane_fades_out) s.instruction = instruction_pane(here.input);
  s.lines = costed_lines(here.input);
  return s;
}

Narration::Values way_values(const TranslatorSubject& s) {
  Narration::Values values = common_values(s.input);
  values["depth"] = fmt::to_string(s.walk().ops.size());
  const Call& call = s.call;
  if (call.op == no_slice) return values;
  values["call_op"] = analysis::shortened(analysis::label_of(s.trace(), call.op), 40);
  if (call.parent != no_slice) values["parent"] = analysis::shortened(analysis::label_of(s.trace(), call.parent), 40);
  const std::size_t first = first_turn(s.rows);
  values["winner"] = first < s.rows.size() ? s.rows[first].key : std::string("?");
  values["final"] = first < s.rows.size() ? end_of(s.rows) : std::string("?");
  return values;
}

Narration::Values code_values(const TranslatorSubject& s) {
  Narration::Values values = way_values(s);
  add_history_values(s.input, values);
  values["line"] = fmt::to_string(s.code->line);
  return values;
}

/// The library for which the kernel stands in; empty: for none.
std::string stood_in(const TranslatorSubject& s) {
  if (s.walk().kernel == no_slice) return {};
  return std::string(analysis::stood_in_library(s.trace().name(s.walk().kernel)));
}

/// Where the time of such a kernel is from; empty: it is simulated.
std::string library_time(const TranslatorSubject& s) {
  return stood_in(s).empty() ? std::string() : analysis::library_time_source(s.trace(), s.walk().kernel);
}

void name_values(const TranslatorSubject& s, Narration::Values& values) {
  values["about"] = about_kernel(s.trace(), s.walk());
  values["library"] = stood_in(s);
  values["time"] = library_time(s);
}

void lines_values(const TranslatorSubject& s, Narration::Values& values) {
  if (!s.lines) return;
  values["costly_line"] = s.lines->line;
  values["costly_percent"] = fmt::format("{:.0f}", s.lines->percent);
  values["metric"] = s.lines->metric;
  values["cycles"] = with_thousands(std::llround(s.lines->cycles));
}

bool has_meaning(const analysis::KernelName& name) {
  return std::ranges::any_of(
      name.parts, [](const analysis::NamePart& part) { return !part.meaning.empty() && part.meaning != "call"; });
}

bool is_recorded(const Call& call) { return call.dispatch != nullptr && !call.set; }

// The section about this kind of GPU work.
std::string section_of_work(std::string_view key, const TranslatorSubject& s) {
  const std::string_view suffix = work_suffix(s.trace(), s.walk());
  return suffix.empty() ? std::string(key) : fmt::format("{}.{}", key, suffix);
}

std::string op_section(const TranslatorSubject& s) {
  if (s.walk().kernel == no_slice) return "op.quiet";
  if (is_compiled(s.trace(), s.walk())) return "op.compiled";
  return s.walk().ops.size() == 1 ? "op.single" : "op";
}

std::string keys_section(const TranslatorSubject& s) {
  if (is_recorded(s.call)) return "keys.recorded";
  if (s.call.asked.backend == KeyBackend::unknown) return "keys.either";
  const KeyMode mode = s.call.asked.mode;
  return mode == KeyMode::nested ? "keys.nested" : mode == KeyMode::unknown ? "keys.off" : "keys";
}

std::string row_section(const TranslatorSubject& s) {
  const Call& call = s.call;
  const bool quiet = s.walk().kernel == no_slice, recorded = is_recorded(call);
  const std::size_t last = last_turn(s.rows);
  if (last < s.rows.size() && s.rows[last].effect == KeyEffect::composite) return "row.composite";
  if (is_view(s.trace().name(call.op)) && quiet) return "row.view";
  if (call.asked.backend == KeyBackend::unknown && !recorded) return "row.either";
  if (end_of(s.rows).ends_with("CPU")) return "row.cpu";
  if (quiet) return "row.gpu";
  if (!call.set && !python_function_of(call, s.trace()).empty()) return "row.python";
  if (!call.set && !own_kernel_file(call, s.trace()).empty()) return "row.own";
  return recorded ? "row.recorded" : section_of_work("row", s);
}

std::string name_section(const TranslatorSubject& s) {
  const bool plain = work_suffix(s.trace(), s.walk()).empty();
  if (!stood_in(s).empty()) return library_time(s).empty() ? "name.stand_in" : "name.stand_in.measured";
  return plain && !has_meaning(s.name) ? "name.own" : section_of_work("name", s);
}

std::string translator_order_section(const TranslatorSubject& s) {
  if (s.walk().launch == no_slice) return "order.unlaunched";
  return launch_call_of(s.trace(), s.walk()).graph ? "order.graph" : section_of_work("order", s);
}

std::string code_section(const TranslatorSubject& s) {
  const auto& columns = s.code->columns;
  const auto lacks = [&](std::size_t column) { return columns[column].window.lines.empty(); };
  if (code_is_stand_ins(s.input)) return "code.stand_in";
  if (std::ranges::all_of(columns, [](const auto& column) { return column.window.lines.empty(); }))
    return s.input.history.state == HistoryView::State::building ? "code.building" : "code.none";
  if (lacks(2) && time_record_of(s.trace(), s.walk()) == TimeRecord::unclocked) return "code.unclocked";
  if (lacks(0) && lacks(1)) return "code.sass";
  if (lacks(0) && lacks(2)) return "code.ptx";
  if (s.code->line == 0) return "code.unmapped";
  return lacks(0) ? "code.no_source" : "code";
}

std::string instruction_section(const TranslatorSubject& s) {
  return s.instruction->missing.empty() ? "instruction" : "instruction.unreadable";
}

std::string lines_section(const TranslatorSubject& s) {
  return !s.lines ? "lines.missing" : s.lines->cut ? "lines.cut" : "lines";
}

// A control that is set by pointing at the picture.
void add_pointed(const TranslatorSubject& s, std::string_view name, double value, std::string shown, Stage& stage) {
  Control control;
  control.kind = Control::Kind::hidden;
  control.name = name;
  control.label = translator_word(s.input, "control", name);
  control.value = value;
  control.shown = std::move(shown);
  control.set = s.input.set("translator", name).has_value();
  control.source = translator_word(s.input, "source", name);
  stage.controls.push_back(std::move(control));
}

void add_line(TranslatorSubject& s, const Narration::Values&, Stage& stage) {
  if (s.lines) stage.controls = s.lines->controls;
  if (!s.code->lines.empty())
    add_pointed(s, "line", static_cast<double>(s.code->line), fmt::to_string(s.code->line), stage);
}

void keys_picture(const TranslatorSubject& s, Stage& stage) {
  stage.controls = key_controls(s.input, s.call, "translator", false);
  way_picture(s, stage);
}

void row_picture(const TranslatorSubject& s, Stage& stage) {
  stage.controls = key_controls(s.input, s.call, "translator", true);
  way_picture(s, stage);
}

void instruction_picture(const TranslatorSubject& s, Stage& stage) {
  way_picture(s, stage);
  if (!s.instruction->missing.empty()) return;
  const InstructionPane::Row& row = s.instruction->rows[s.instruction->focus];
  add_pointed(s, "instruction", static_cast<double>(row.number), row.address, stage);
}

// Asks which key is called first, among those that the op's table has.
std::optional<Ask> key_question(const TranslatorSubject& s) {
  constexpr std::size_t most_options = 5;
  const std::size_t first = first_turn(s.rows);
  const bool known = s.call.asked.backend != KeyBackend::unknown && s.call.asked.mode != KeyMode::unknown;
  if (first >= s.rows.size() || s.call.set || !(known || is_recorded(s.call))) return {};
  Options options;
  for (std::size_t i = 0; i < s.rows.size(); ++i) {
    const std::size_t left = options.words.size() + (i <= first ? 1 : 0);
    if (i != first && left >= most_options) continue;
    if (i == first) options.right = options.words.size();
    options.words.push_back(s.rows[i].key);
    options.keys.push_back(s.rows[i].key);
  }
  return Ask{"key", "", std::move(options), {}, [&s](Stage& asked) { picture_without_keys(s, asked); }};
}

constexpr Frame<TranslatorSubject, TranslatorPane> way_frame = {
    .subject = way_subject, .stop = "dispatch", .values = way_values};
constexpr Frame<TranslatorSubject, TranslatorPane> code_frame = {
    .subject = code_subject, .stop = "driver", .values = code_values, .complete = add_line};
constexpr Frame<TranslatorSubject, TranslatorPane> instruction_frame = {
    .subject = instruction_subject, .stop = "driver", .values = code_values, .complete = add_line};
constexpr Frame<TranslatorSubject, TranslatorPane> lines_frame = {
    .subject = lines_subject, .stop = "driver", .values = code_values, .complete = add_line};

std::optional<std::int64_t> op_anchor(const WalkTimes& t) {
  if (t.walk.ops.empty()) return {};
  return t.start(t.walk.ops.front());
}

// The innermost op that goes through the dispatcher.
std::optional<std::int64_t> dispatch_anchor(const WalkTimes& t) {
  for (std::size_t i = t.walk.ops.size(); i > 0; --i)
    if (call_kind(t.trace.name(t.walk.ops[i - 1])) == CallKind::op) return t.start(t.walk.ops[i - 1]);
  return {};
}

std::optional<std::int64_t> order_anchor(const WalkTimes& t) {
  if (t.walk.kernel == no_slice) return {};
  return t.start(t.walk.launch == no_slice ? t.walk.kernel : t.walk.launch);
}

// There if there is anything to explain: parts of the name, or what its source says about it.
std::optional<std::int64_t> name_anchor(const WalkTimes& t) {
  if (t.walk.kernel == no_slice ||
      (work_suffix(t.trace, t.walk).empty() && !has_meaning(analysis::read_kernel_name(t.trace.name(t.walk.kernel))) &&
       about_kernel(t.trace, t.walk).empty()))
    return {};
  return order_anchor(t);
}

std::optional<std::int64_t> code_anchor(const WalkTimes& t) {
  if (t.walk.kernel == no_slice || t.trace.slices.kind[t.walk.kernel] != SliceKind::kernel) return {};
  return t.start(t.walk.kernel);
}

std::optional<std::int64_t> instruction_anchor(const WalkTimes& t) {
  const trace::Module* const module = module_of(t.trace, t.walk);
  if (module == nullptr || module->cubin.empty()) return {};
  return code_anchor(t);
}

std::optional<std::int64_t> lines_anchor(const WalkTimes& t) {
  const trace::Module* const module = module_of(t.trace, t.walk);
  if (module == nullptr || (module->cubin.empty() && module->ptx.empty())) return {};
  return code_anchor(t);
}

constexpr TranslatorBeat op_beat = {.key = "op",
                                    .anchor = op_anchor,
                                    .first_route = true,
                                    .stop = "op",
                                    .motion_seconds = usual_seconds,
                                    .section = op_section,
                                    .facts = op_facts,
                                    .picture = way_picture,
                                    .more = {.station = 0, .put = put_ops}};
constexpr TranslatorBeat keys_beat = {.key = "keys",
                                      .anchor = dispatch_anchor,
                                      .motion_seconds = keys_seconds,
                                      .section = keys_section,
                                      .facts = keys_facts,
                                      .picture = keys_picture,
                                      .question = key_question,
                                      .more = {.station = 1, .put = put_keys}};
constexpr TranslatorBeat row_beat = {.key = "row",
                                     .anchor = dispatch_anchor,
                                     .motion_seconds = keys_seconds,
                                     .section = row_section,
                                     .facts = row_facts,
                                     .picture = row_picture,
                                     .more = {.station = 2, .put = put_row, .stays = true}};
constexpr TranslatorBeat name_beat = {.key = "name",
                                      .anchor = name_anchor,
                                      .motion_seconds = parts_seconds,
                                      .section = name_section,
                                      .values = name_values,
                                      .facts = name_facts,
                                      .picture = way_picture,
                                      .more = {.station = 3, .put = put_name}};
constexpr TranslatorBeat order_beat = {.key = "order",
                                       .anchor = order_anchor,
                                       .first_route = true,
                                       .stop = "driver",
                                       .motion_seconds = parts_seconds,
                                       .section = translator_order_section,
                                       .facts = order_facts,
                                       .picture = way_picture,
                                       .more = {.station = 4, .put = put_order}};
constexpr TranslatorBeat code_beat = {.key = "code",
                                      .anchor = code_anchor,
                                      .needs = Needs::history,
                                      .first_route = true,
                                      .motion_seconds = usual_seconds,
                                      .section = code_section,
                                      .facts = code_facts,
                                      .picture = way_picture,
                                      .more = {.station = 5, .put = put_code}};
constexpr TranslatorBeat instruction_beat = {.key = "instruction",
                                             .anchor = instruction_anchor,
                                             .motion_seconds = usual_seconds,
                                             .section = instruction_section,
                                             .facts = instruction_facts,
                                             .picture = instruction_picture,
                                             .more = {.station = 5, .put = put_instruction}};
constexpr TranslatorBeat lines_beat = {.key = "lines",
                                       .anchor = lines_anchor,
                                       .needs = Needs::cycles,
                                       .motion_seconds = usual_seconds,
                                       .section = lines_section,
                                       .values = lines_values,
                                       .facts = lines_facts,
                                       .picture = way_picture,
                                       .more = {.station = 5, .put = put_lines}};
constexpr TranslatorBeat translator_empty_beat = {
    .key = "empty",
    .anchor = empty_anchor,
    .motion_seconds = usual_seconds,
    .facts = [](const TranslatorSubject&, FactWriter& facts) { facts.missing("anything"); }};

}  // namespace

const Contents& translator_scene() {
  static const BeatTable table(
      "translator", {framed(way_frame, op_beat), framed(way_frame, keys_beat), framed(way_frame, row_beat),
                     framed(way_frame, name_beat), framed(way_frame, order_beat), framed(code_frame, code_beat),
                     framed(instruction_frame, instruction_beat), framed(lines_frame, lines_beat),
                     framed(way_frame, translator_empty_beat)});
  return table;
}

}  // namespace warpwalk::story
