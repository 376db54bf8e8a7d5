#include "core/story/scenes/translator/picture.h"

#include <fmt/format.h>

namespace warpwalk::story {
namespace {

std::string_view mark(Bit bit) { return bit == Bit::on ? "1" : bit == Bit::maybe ? "?" : "0"; }

std::string bits(const KeyRow& key, bool sources) {
  return sources ? fmt::format("{}{}{} {}", mark(key.tensors), mark(key.adds), mark(key.removes), mark(key.set))
                 : std::string(mark(key.set));
}

// A pane is told once it is the one that is looked at.
template <class Pane>
bool told(const std::optional<Pane>& pane, double shown) {
  return pane && shown > 0.5;
}

void tell(const OpsPane& pane, std::string& out) {
  for (const OpsPane::Row& row : pane.rows)
    if (row.shown > 0)
      out += fmt::format("  step {}: {}{}{}: {}\n", row.depth + 1, row.name, row.inputs.empty() ? "" : ", ", row.inputs,
                         row.says);
}

void tell(const KeysPane& pane, std::string& out) {
  for (const KeysPane::Row& row : pane.rows) {
    if (row.key.set == Bit::off) continue;
    out += fmt::format("  key {}: {}{}", row.key.key, mark(row.key.set) == "?" ? "(perhaps) " : "", row.does);
    if (pane.functions_shown > 0 && !row.key.function.empty() && row.key.turn > 0)
      out += fmt::format(" [{}]", row.key.function);
    out += row.key.turn > 0 ? fmt::format(", turn {}\n", row.key.turn) : "\n";
  }
  if (pane.set_by_person) out += fmt::format("  {}\n", pane.what_if);
  if (pane.functions_shown <= 0) return;
  for (const KeysPane::Door& door : pane.doors)
    if (door.taken) out += fmt::format("  door: {}: {}\n", door.name, door.says);
  for (const auto& [dtype, chosen] : pane.instances)
    if (chosen) out += fmt::format("  instance: {}\n", dtype);
}

void tell(const NamePane& pane, std::string& out) {
  for (const NamePane::Part& part : pane.parts)
    if (!part.says.empty()) out += fmt::format("  part: {}: {}\n", part.text, part.says);
  for (const std::string& check : pane.checks) out += fmt::format("  check: {}\n", check);
}

void tell(const OrderPane& pane, std::string& out) {
  out += fmt::format("  order: {}\n", pane.command);
  for (const auto* cards : {&pane.cards, &pane.driver})
    for (const OrderPane::Card& card : *cards)
      out += fmt::format("  {}: {}{}{}\n", card.name, card.value.empty() ? card.missing : card.value,
                         card.value.empty() && card.missing.empty() ? "" : ": ", card.says);
}

void tell(const CodePane& pane, std::string& out) {
  if (!pane.banner.empty()) out += fmt::format("  banner: {}\n", pane.banner);
  for (const CodePane::Column& column : pane.columns) {
    if (!column.missing.empty()) {
      out += fmt::format("  {}: {}\n", column.name, column.missing);
      continue;
    }
    for (const CodeLine& line : column.window.lines)
      if (line.lit)
        out += column.kind == CodeKind::sass ? fmt::format("  {} {:04x}: {}\n", column.name, line.number, line.text)
                                             : fmt::format("  {} {}: {}\n", column.name, line.number, line.text);
  }
}

std::string all_of(const OpsPane& pane) {
  std::string out = fmt::format("{}\n{}\n{}\n{}\n", pane.head_op, pane.head_inputs, pane.head_number, pane.head_says);
  for (const OpsPane::Row& row : pane.rows)
    out += fmt::format("{}\n{}\n{}\n{}\n{} {} {}\n", row.name, row.inputs, row.number, row.says, row.role, row.depth,
                       row.shown);
  return out;
}

std::string all_of(const KeysPane& pane) {
  std::string out = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n", pane.head_key, pane.head_tensors,
                                pane.head_adds, pane.head_removes, pane.head_set, pane.head_does, pane.head_function,
                                pane.head_instances, pane.instances_note, pane.note);
  out += fmt::format("{} {}\n", pane.what_if, pane.set_by_person);
  out += fmt::format("{} {} {} {} {} {}\n", pane.sources, pane.tensors_shown, pane.thread_shown, pane.set_shown,
                     pane.functions_shown, pane.cursor);
  for (const KeysPane::Row& row : pane.rows)
    out += fmt::format("{} {} {} {}\n{}\n{}\n", row.key.key, bits(row.key, pane.sources), row.key.turn, row.passed,
                       row.does, row.key.function);
  for (const KeysPane::Door& door : pane.doors)
    out += fmt::format("{}\n{}\n{} {}\n", door.name, door.says, door.taken, door.open);
  for (const auto& [dtype, chosen] : pane.instances) out += fmt::format("{} {}\n", dtype, chosen);
  for (const auto& [head, words] : pane.legend) out += fmt::format("{}\n{}\n", head, words);
  return out;
}

std::string all_of(const NamePane& pane) {
  std::string out = fmt::format("{}\n{}\n{}\n", pane.head_part, pane.head_says, pane.told);
  for (const NamePane::Part& part : pane.parts) out += fmt::format("{}\n{}\n{}\n", part.text, part.says, part.decoded);
  for (const std::string& check : pane.checks) out += check + "\n";
  return out;
}

std::string all_of(const OrderPane& pane) {
  std::string out = fmt::format("{}\n{}\n{}\n", pane.command, pane.head_driver, pane.told);
  for (const auto* cards : {&pane.cards, &pane.driver})
    for (const OrderPane::Card& card : *cards)
      out += fmt::format("{}\n{}\n{}\n{}\n{}\n", card.name, card.value, card.says, card.missing,
                         trace::name_of(card.origin));
  return out;
}

std::string all_of(const CodePane& pane) {
  std::string out = fmt::format("{} {} {}\n{}\n", pane.line, pane.lines.size(), pane.told, pane.banner);
  for (const CodePane::Column& column : pane.columns) {
    out += fmt::format("{}\n{}\n{}\n{} {} {}\n", column.name, column.note, column.missing, column.window.all_lines,
                       column.window.lit_lines, column.window.focus);
    for (const CodeLine& line : column.window.lines)
      out += fmt::format("{} {} {} {}\n", line.number, line.source_line, line.lit, line.text);
  }
  return out;
}

}  // namespace

std::string text_of(const TranslatorPicture& picture) {
  std::string out;
  for (const TranslatorStation& station : picture.stations) {
    if (station.reached < 1 || station.value.empty()) continue;
    out += fmt::format("  way: {}: {}\n", station.name,
                       station.undecided      ? station.value + " / " + station.second
                       : station.second_taken ? station.second
                                              : station.value);
  }
  if (told(picture.ops, picture.ops_shown)) tell(*picture.ops, out);
  if (told(picture.keys, picture.keys_shown)) tell(*picture.keys, out);
  if (told(picture.name, picture.name_shown)) tell(*picture.name, out);
  if (told(picture.order, picture.order_shown)) tell(*picture.order, out);
  if (told(picture.code, picture.code_shown)) tell(*picture.code, out);
  return out;
}

std::string everything_in(const TranslatorPicture& picture) {
  std::string out = fmt::format("{} {} {} {} {} {}\n", picture.packet, picture.ops_shown, picture.keys_shown,
                                picture.name_shown, picture.order_shown, picture.code_shown);
  for (const TranslatorStation& station : picture.stations)
    out += fmt::format("{}\n{}\n{}\n{} {} {}\n", station.name, station.value, station.second, station.second_taken,
                       station.undecided, station.reached);
  if (picture.ops) out += all_of(*picture.ops);
  if (picture.keys) out += all_of(*picture.keys);
  if (picture.name) out += all_of(*picture.name);
  if (picture.order) out += all_of(*picture.order);
  if (picture.code) out += all_of(*picture.code);
  return out;
}

}  // namespace warpwalk::story
