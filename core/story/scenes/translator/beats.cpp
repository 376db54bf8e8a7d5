// Scene 2: the op becomes machine code.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/names/names.h"
#include "core/analysis/slices.h"
#include "core/ptx/module.h"
#include "core/run/replay/history.h"
#include "core/story/elements/walk.h"
#include "core/story/facts/code/linked_code.h"
#include "core/story/facts/launch/launch_call.h"
#include "core/story/facts/words/ask.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/scenes/scenes.h"
#include "core/story/scenes/translator/translator.h"

namespace warpwalk::story {
namespace {

using trace::SliceKind;

constexpr double fades_out = 0.15;  // of a beat: the pane of the beat before it

// The innermost op that goes through the dispatcher, without reading the rest of the call.
SliceId dispatched_op(const Trace& trace, const Walk& walk) {
  for (std::size_t i = walk.ops.size(); i > 0; --i)
    if (call_kind(trace.name(walk.ops[i - 1])) == CallKind::op) return walk.ops[i - 1];
  return no_slice;
}

std::string_view work_suffix(const Trace& trace, const Walk& walk) {
  switch (trace.slices.kind[walk.kernel]) {
    case SliceKind::memcpy: return "copy";
    case SliceKind::memset: return "fill";
    default: return "";
  }
}

bool has_meaning(const analysis::KernelName& name) {
  return std::ranges::any_of(
      name.parts, [](const analysis::NamePart& part) { return !part.meaning.empty() && part.meaning != "call"; });
}

// The variant of the sentence that is true for this trace; empty for the first one.
std::string variant_of(const SceneInput& input, const TranslatorSubject& subject, std::string_view beat) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  const Call& call = subject.call;
  if (beat == "op")
    return walk.kernel == no_slice    ? "quiet"
           : is_compiled(trace, walk) ? "compiled"
           : walk.ops.size() == 1     ? "single"
                                      : "";
  const bool recorded = call.dispatch != nullptr && !call.set;
  if (beat == "keys") {
    if (recorded) return "recorded";
    if (call.asked.backend == KeyBackend::unknown) return "either";
    return call.asked.mode == KeyMode::nested ? "nested" : call.asked.mode == KeyMode::unknown ? "off" : "";
  }
  if (beat == "row") {
    const std::size_t last = last_turn(subject.rows);
    if (last < subject.rows.size() && subject.rows[last].effect == KeyEffect::composite) return "composite";
    if (is_view(trace.name(call.op)) && walk.kernel == no_slice) return "view";
    if (call.asked.backend == KeyBackend::unknown && !recorded) return "either";
    if (end_of(subject.rows).ends_with("CPU")) return "cpu";
    if (walk.kernel == no_slice) return "gpu";
    if (!call.set && !python_function_of(call, trace).empty()) return "python";
    return recorded ? "recorded" : std::string(work_suffix(trace, walk));
  }
  if (beat == "name") {
    const std::string_view suffix = work_suffix(trace, walk);
    if (!suffix.empty()) return std::string(suffix);
    return has_meaning(subject.name) ? "" : "own";
  }
  if (beat == "order") {
    if (walk.launch == no_slice) return "unlaunched";
    return launch_call_of(trace, walk).graph ? "graph" : std::string(work_suffix(trace, walk));
  }
  if (beat == "code") {
    const auto& columns = subject.code->columns;
    if (code_is_stand_ins(input)) return "stand_in";
    if (std::all_of(columns.begin(), columns.end(), [](const auto& column) { return column.window.lines.empty(); }))
      return input.history.state == HistoryView::State::building ? "building" : "none";
    if (columns[2].window.lines.empty() && time_record_of(trace, walk) == TimeRecord::unclocked) return "unclocked";
    if (columns[0].window.lines.empty() && columns[1].window.lines.empty()) return "sass";
    if (columns[0].window.lines.empty() && columns[2].window.lines.empty()) return "ptx";
    if (subject.code->line == 0) return "unmapped";
    return columns[0].window.lines.empty() ? "no_source" : "";
  }
  if (beat == "instruction") return subject.instruction->missing.empty() ? "" : "unreadable";
  if (beat == "lines") return !subject.lines ? "missing" : subject.lines->cut ? "cut" : "";
  return "";
}

// Whether there is anything to explain: parts of the name, or what its source says about it.
bool name_says_something(const Trace& trace, const Walk& walk) {
  return !work_suffix(trace, walk).empty() || has_meaning(analysis::read_kernel_name(trace.name(walk.kernel))) ||
         !about_kernel(trace, walk).empty();
}

bool is_about_code(std::string_view beat) { return beat == "code" || beat == "instruction" || beat == "lines"; }

// The station of a beat on the way.
double station_of(std::string_view beat) {
  return beat == "keys"        ? 1
         : beat == "row"       ? 2
         : beat == "name"      ? 3
         : beat == "order"     ? 4
         : is_about_code(beat) ? 5
                               : 0;
}

std::vector<TranslatorStation> stations_of(const SceneInput& input, const TranslatorSubject& subject, double packet) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  const Call& call = subject.call;
  const auto word = [&](std::string_view key) { return translator_word(input, "way", key); };
  const auto kernel_name = [&]() {
    if (walk.kernel == no_slice) return std::string();
    return analysis::shortened(analysis::label_of(trace, walk.kernel), 28);
  };
  const SliceId root = walk.ops.empty() ? no_slice : walk.ops.front();
  std::string keys, door, other;
  bool other_taken = false, undecided = false;
  if (call.op != no_slice) {
    const std::size_t first = first_turn(subject.rows), last = last_turn(subject.rows);
    if (first < subject.rows.size()) keys = subject.rows[first].key;
    door = word("door_cuda");
    other = word("door_cpu");
    bool cuda = walk.kernel != no_slice;
    if (call.set && last < subject.rows.size()) cuda = subject.rows[last].key.ends_with("CUDA");
    other_taken = !cuda;
    undecided = call.asked.backend == KeyBackend::unknown && (call.dispatch == nullptr || call.set);
    // Recorded steps show it directly.
    if (walk.kernel == no_slice && !undecided) other_taken = end_of(subject.rows).ends_with("CPU");
  }
  const trace::Module* module = module_of(trace, walk);
  std::string code = module == nullptr ? std::string() : ptx_target(module->ptx);
  if (code.empty() && module != nullptr && has_machine_code(*module)) code = "SASS";
  std::vector<TranslatorStation> stations = {
      {word("op"),
       root == no_slice ? std::string() : analysis::shortened(analysis::label_of(trace, root), 28),
       {},
       false,
       false,
       0},
      {word("keys"), keys, {}, false, false, 0},
      {word("door"), door, other, other_taken, false, 0},
      {word(walk.kernel == no_slice || work_suffix(trace, walk).empty() ? "kernel" : work_suffix(trace, walk)),
       kernel_name(),
       {},
       false,
       false,
       0},
      {word("order"),
       walk.launch == no_slice ? std::string() : analysis::shortened(analysis::label_of(trace, walk.launch), 28),
       {},
       false,
       0},
      {word("code"), code, {}, false, false, 0},
  };
  stations[2].undecided = undecided;
  stations[0].absent = walk.ops.empty();
  stations[1].absent = stations[2].absent = call.op == no_slice;
  if (walk.ops.empty())
    stations[0].note = word("no_op");
  else if (call.op == no_slice)
    stations[1].note = word("no_dispatch");
  for (std::size_t i = 0; i < stations.size(); ++i)
    stations[i].reached = stations[i].absent ? 0 : std::clamp(packet - static_cast<double>(i) + 1, 0.0, 1.0);
  return stations;
}

// The pane of one beat. The table of keys serves two beats and stays between them.
void add_pane(const SceneInput& input, const TranslatorSubject& subject, std::string_view beat, double phase,
              double shown, TranslatorPicture& picture) {
  if (beat == "op") {
    picture.ops = ops_pane(input, phase);
    picture.ops_shown = shown;
  } else if (beat == "keys" || beat == "row") {
    picture.keys = keys_pane(input, subject.call, phase, beat == "row");
    picture.keys_shown = shown;
  } else if (beat == "name") {
    picture.name = name_pane(input, subject.call, subject.name, phase);
    picture.name_shown = shown;
  } else if (beat == "order") {
    picture.order = order_pane(input, phase);
    picture.order_shown = shown;
  } else if (beat == "code" || (beat == "lines" && !subject.lines)) {
    picture.code = subject.code;
    // A column without text leaves its room to the others.
    auto& columns = picture.code->columns;
    const auto is_empty = [](const CodePicture::Column& column) { return column.window.lines.empty(); };
    if (!std::ranges::all_of(columns, is_empty))
      std::erase_if(columns, [&](const auto& column) { return column.kind == CodeKind::source && is_empty(column); });
    picture.code->progress = part(phase, 0.2, 0.95);
    picture.code_shown = shown;
  } else if (beat == "instruction") {
    picture.instruction = subject.instruction;
    picture.instruction_shown = shown;
  } else if (beat == "lines") {
    picture.lines = subject.lines->pane;
    picture.lines_shown = shown;
  }
}

// Asks which key is called first, among those that the op's table has. The picture before the answer is that of the
// beat before, without the key.
void ask_for_key(const SceneInput& input, const TranslatorSubject& subject, const Narration::Values& values,
                 Stage& stage) {
  constexpr std::size_t most_options = 5;
  const std::size_t first = first_turn(subject.rows);
  const std::string variant = variant_of(input, subject, "keys");
  if (first >= subject.rows.size() || subject.call.set || variant == "either" || variant == "off") return;
  Options options;
  for (std::size_t i = 0; i < subject.rows.size(); ++i) {
    const std::size_t left = options.words.size() + (i <= first ? 1 : 0);
    if (i != first && left >= most_options) continue;
    if (i == first) options.right = options.words.size();
    options.words.push_back(subject.rows[i].key);
    options.keys.push_back(subject.rows[i].key);
  }
  ask(input, values,
      {"key",
       "",
       std::move(options),
       {},
       [&](Stage& asked) {
         auto picture = std::make_shared<TranslatorPicture>();
         picture->stations = stations_of(input, subject, 0);
         for (TranslatorStation& station : picture->stations) station.value.clear();
         add_pane(input, subject, "op", 1, 1, *picture);
         asked.picture = std::shared_ptr<const TranslatorPicture>(std::move(picture));
       }},
      stage);
}

}  // namespace

std::vector<Beat> translator_beats(const Trace& trace, const Walk& walk) {
  if (walk.empty()) return {{"empty", 0}};
  const auto& rows = trace.slices;
  std::vector<Beat> beats;
  if (!walk.ops.empty()) beats.push_back({"op", analysis::since_start(trace, rows.start[walk.ops.front()])});
  if (const SliceId op = dispatched_op(trace, walk); op != no_slice) {
    beats.push_back({"keys", analysis::since_start(trace, rows.start[op])});
    beats.push_back({"row", analysis::since_start(trace, rows.start[op])});
  }
  if (walk.kernel != no_slice) {
    const std::int64_t ordered =
        analysis::since_start(trace, walk.launch == no_slice ? rows.start[walk.kernel] : rows.start[walk.launch]);
    if (name_says_something(trace, walk)) beats.push_back({"name", ordered});
    beats.push_back({"order", ordered});
    if (rows.kind[walk.kernel] == SliceKind::kernel) {
      beats.push_back({"code", analysis::since_start(trace, rows.start[walk.kernel]), true});
      const trace::Module* const module = module_of(trace, walk);
      if (module != nullptr && !module->cubin.empty())
        beats.push_back({"instruction", analysis::since_start(trace, rows.start[walk.kernel])});
      if (module != nullptr && (!module->cubin.empty() || !module->ptx.empty()))
        beats.push_back({"lines", analysis::since_start(trace, rows.start[walk.kernel]), true});
    }
  }
  return in_order(std::move(beats));
}

Stage translator(const SceneInput& input) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  const std::vector<Beat> beats = translator_beats(trace, walk);
  const auto index = static_cast<std::size_t>(input.moment.value - 1);
  const std::string& beat = beats[index].key;

  TranslatorSubject subject;
  subject.call = call_of(input);
  if (subject.call.op != no_slice) subject.rows = rows_of(subject.call, trace);
  if (is_about_code(beat)) subject.code = code_pane(input);
  // It fades out when the next beat begins.
  if (beat == "instruction" || (beat == "lines" && input.moment.phase < fades_out))
    subject.instruction = instruction_pane(input);
  if (beat == "lines") subject.lines = costed_lines(input);
  if (walk.kernel != no_slice) subject.name = analysis::read_kernel_name(trace.name(walk.kernel));

  Narration::Values values = common_values(input);
  if (subject.code) {
    add_history_values(input, values);
    values["line"] = fmt::to_string(subject.code->line);
  }
  if (subject.lines) {
    values["costly_line"] = subject.lines->line;
    values["costly_percent"] = fmt::format("{:.0f}", subject.lines->percent);
    values["metric"] = subject.lines->metric;
    values["cycles"] = with_thousands(std::llround(subject.lines->cycles));
  }
  if (beat == "name") values["about"] = about_kernel(trace, walk);
  const Call& call = subject.call;
  values["depth"] = fmt::to_string(walk.ops.size());
  if (call.op != no_slice) {
    values["call_op"] = analysis::shortened(analysis::label_of(trace, call.op), 40);
    if (call.parent != no_slice) values["parent"] = analysis::shortened(analysis::label_of(trace, call.parent), 40);
    const std::size_t first = first_turn(subject.rows);
    values["winner"] = first < subject.rows.size() ? subject.rows[first].key : std::string("?");
    values["final"] = first < subject.rows.size() ? end_of(subject.rows) : std::string("?");
  }

  std::vector<Beat> named = beats;
  if (const std::string variant = variant_of(input, subject, beat); !variant.empty()) named[index].key += "." + variant;
  const bool driver = beat == "order" || is_about_code(beat);
  Stage stage = common_stage(input, "translator", named, values, beat == "op" ? "op" : driver ? "driver" : "dispatch");
  // The call passes one key after the other; a name and a launch are explained part by part.
  stage.motion_seconds = beat == "keys" || beat == "row" ? 4 : beat == "name" || beat == "order" ? 3 : 2.5;
  translator_facts(input, subject, beat, values, stage);
  if (beat == "empty") return stage;
  if (subject.lines) stage.controls = subject.lines->controls;
  if (beat == "keys" || beat == "row") stage.controls = key_controls(input, call, "translator", beat == "row");
  if (subject.code && !subject.code->lines.empty()) {
    Control line;
    line.kind = Control::Kind::hidden;
    line.name = "line";
    line.label = translator_word(input, "control", "line");
    line.value = static_cast<double>(subject.code->line);
    line.shown = fmt::to_string(subject.code->line);
    line.set = input.set("translator", "line").has_value();
    line.source = translator_word(input, "source", "line");
    stage.controls.push_back(std::move(line));
  }
  if (beat == "instruction" && subject.instruction->missing.empty()) {
    const InstructionPane::Row& row = subject.instruction->rows[subject.instruction->focus];
    Control chosen;
    chosen.kind = Control::Kind::hidden;
    chosen.name = "instruction";
    chosen.label = translator_word(input, "control", "instruction");
    chosen.value = static_cast<double>(row.number);
    chosen.shown = row.address;
    chosen.set = input.set("translator", "instruction").has_value();
    chosen.source = translator_word(input, "source", "instruction");
    stage.controls.push_back(std::move(chosen));
  }

  // First the old pane fades out and the packet moves on; then the new pane appears.
  const double phase = input.moment.phase;
  auto picture = std::make_shared<TranslatorPicture>();
  const std::string before = index == 0 ? std::string() : beats[index - 1].key;
  const bool same_pane = before == "keys" && beat == "row";
  const double from = index == 0 ? 0 : station_of(before);
  picture->packet = index == 0 ? station_of(beat) : from + (station_of(beat) - from) * eased(part(phase, 0, 0.3));
  picture->stations = stations_of(input, subject, picture->packet);
  const double come = index == 0 || same_pane ? 1 : part(phase, 0.15, 0.3);
  picture->opened = index == 0 || same_pane ? 1 : eased(part(phase, 0.1, 0.28));
  add_pane(input, subject, beat, same_pane ? phase : part(phase, 0.2, 1), come, *picture);
  if (index > 0 && !same_pane && phase < fades_out)
    add_pane(input, subject, before, 1, 1 - part(phase, 0, fades_out), *picture);
  stage.picture = std::shared_ptr<const TranslatorPicture>(std::move(picture));
  if (beat == "keys") ask_for_key(input, subject, values, stage);
  return stage;
}

}  // namespace warpwalk::story
