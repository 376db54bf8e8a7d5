// The way from the op to its code, and the panes of the beats. The table of keys serves two beats and stays between
// them.
#include <algorithm>
#include <memory>

#include "core/analysis/names/short_names.h"
#include "core/story/facts/code/linked_code.h"
#include "core/story/scenes/translator/translator.h"

namespace warpwalk::story {
namespace {

std::vector<TranslatorStation> stations_of(const TranslatorSubject& s, double packet) {
  const SceneInput& input = s.input;
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  const Call& call = s.call;
  const auto word = [&](std::string_view key) { return translator_word(input, "way", key); };
  const auto kernel_name = [&]() {
    if (walk.kernel == no_slice) return std::string();
    return analysis::shortened(analysis::label_of(trace, walk.kernel), 28);
  };
  const SliceId root = walk.ops.empty() ? no_slice : walk.ops.front();
  std::string keys, door, other;
  bool other_taken = false, undecided = false;
  if (call.op != no_slice) {
    const std::size_t first = first_turn(s.rows), last = last_turn(s.rows);
    if (first < s.rows.size()) keys = s.rows[first].key;
    door = word("door_cuda");
    other = word("door_cpu");
    bool cuda = walk.kernel != no_slice;
    if (call.set && last < s.rows.size()) cuda = s.rows[last].key.ends_with("CUDA");
    other_taken = !cuda;
    undecided = call.asked.backend == KeyBackend::unknown && (call.dispatch == nullptr || call.set);
    // Recorded steps show it directly.
    if (walk.kernel == no_slice && !undecided) other_taken = end_of(s.rows).ends_with("CPU");
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

}  // namespace

void way_picture(const TranslatorSubject& s, Stage& stage) {
  // First the old pane fades out and the packet moves on; then the new pane appears.
  const double phase = s.input.moment.phase;
  const TranslatorPane& pane = s.here.shown<TranslatorBeat>()->more;
  const TranslatorBeat* const before = s.here.before<TranslatorBeat>();
  const bool opens = before != nullptr && !pane.stays;
  const double from = before == nullptr ? pane.station : before->more.station;
  auto picture = std::make_shared<TranslatorPicture>();
  picture->packet = from + (pane.station - from) * eased(part(phase, 0, 0.3));
  picture->stations = stations_of(s, picture->packet);
  picture->opened = opens ? eased(part(phase, 0.1, 0.28)) : 1;
  pane.put(s, pane.stays ? phase : part(phase, 0.2, 1), opens ? part(phase, 0.15, 0.3) : 1, *picture);
  if (opens && phase < pane_fades_out) before->more.put(s, 1, 1 - part(phase, 0, pane_fades_out), *picture);
  stage.picture = std::shared_ptr<const TranslatorPicture>(std::move(picture));
}

void put_ops(const TranslatorSubject& s, double phase, double shown, TranslatorPicture& picture) {
  picture.ops = ops_pane(s.input, phase);
  picture.ops_shown = shown;
}

void put_keys(const TranslatorSubject& s, double phase, double shown, TranslatorPicture& picture) {
  picture.keys = keys_pane(s.input, s.call, phase, false);
  picture.keys_shown = shown;
}

void put_row(const TranslatorSubject& s, double phase, double shown, TranslatorPicture& picture) {
  picture.keys = keys_pane(s.input, s.call, phase, true);
  picture.keys_shown = shown;
}

void put_name(const TranslatorSubject& s, double phase, double shown, TranslatorPicture& picture) {
  picture.name = name_pane(s.input, s.call, s.name, phase);
  picture.name_shown = shown;
}

void put_order(const TranslatorSubject& s, double phase, double shown, TranslatorPicture& picture) {
  picture.order = order_pane(s.input, phase);
  picture.order_shown = shown;
}

void put_code(const TranslatorSubject& s, double phase, double shown, TranslatorPicture& picture) {
  picture.code = s.code;
  // A column without text leaves its room to the others.
  auto& columns = picture.code->columns;
  const auto is_empty = [](const CodePicture::Column& column) { return column.window.lines.empty(); };
  if (!std::ranges::all_of(columns, is_empty))
    std::erase_if(columns, [&](const auto& column) { return column.kind == CodeKind::source && is_empty(column); });
  picture.code->progress = part(phase, 0.2, 0.95);
  picture.code_shown = shown;
}

void put_instruction(const TranslatorSubject& s, double, double shown, TranslatorPicture& picture) {
  picture.instruction = s.instruction;
  picture.instruction_shown = shown;
}

void put_lines(const TranslatorSubject& s, double phase, double shown, TranslatorPicture& picture) {
  if (!s.lines) return put_code(s, phase, shown, picture);
  picture.lines = s.lines->pane;
  picture.lines_shown = shown;
}

void picture_without_keys(const TranslatorSubject& s, Stage& stage) {
  auto picture = std::make_shared<TranslatorPicture>();
  picture->stations = stations_of(s, 0);
  for (TranslatorStation& station : picture->stations) station.value.clear();
  put_ops(s, 1, 1, *picture);
  stage.picture = std::shared_ptr<const TranslatorPicture>(std::move(picture));
}

}  // namespace warpwalk::story
