#include "core/story/facts/code/instruction_words.h"

#include <algorithm>
#include <iterator>
#include <variant>

#include <fmt/format.h>

#include "core/sass/analysis/dependences.h"
#include "core/sass/encoding.h"
#include "core/story/pictures/code.h"

namespace warpwalk::story {
namespace {

// Takes the text up to one of these characters, and the character too.
std::string_view take(std::string_view& text, std::string_view ends) {
  const std::size_t end = std::min(text.find_first_of(ends), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

}  // namespace

std::string InstructionWords::lines() const {
  std::string text = does.empty() ? std::string() : fmt::format("{}: {}", opcode, does);
  const auto add = [&](const std::string& line) { text += (text.empty() ? "" : "\n") + line; };
  for (const auto& [modifier, meaning] : modifiers) add(fmt::format("{}: {}", modifier, meaning));
  if (!guard.empty()) add(guard);
  return text;
}

InstructionWords instruction_words(const Narration& narration, std::string_view text) {
  InstructionWords words;
  if (text.starts_with('@')) {
    text.remove_prefix(1);
    std::string_view guard = take(text, " ");
    const bool negated = guard.starts_with('!');
    if (negated) guard.remove_prefix(1);
    words.guard =
        narration.text("sass.guard", guard.ends_with("PT") ? (negated ? "never" : "always") : (negated ? "not" : "if"),
                       {{"p", std::string(guard)}});
  }
  std::string_view mnemonic = take(text, " ;");
  words.opcode = take(mnemonic, ".");
  if (narration.has("sass.opcode", words.opcode)) words.does = narration.text("sass.opcode", words.opcode);
  while (!mnemonic.empty()) {
    const std::string modifier(take(mnemonic, "."));
    const std::string own = fmt::format("{}.{}", words.opcode, modifier);
    const std::string& key = narration.has("sass.modifier", own) ? own : modifier;
    if (narration.has("sass.modifier", key))
      words.modifiers.emplace_back("." + modifier, narration.text("sass.modifier", key));
  }
  return words;
}

std::string instruction_address_text(std::size_t instruction) {
  return number_text(CodeKind::sass, static_cast<std::int64_t>(instruction * sass::instruction_bytes));
}

std::vector<std::string> control_sentences(const Narration& narration, const DecodedKernel& kernel,
                                           const sass::ControlFlow& flow, std::size_t i, bool setters) {
  const auto at = [&](std::size_t k) { return std::get_if<sass::Instruction>(&kernel.code[k]); };
  if (at(i) == nullptr) return {};
  const sass::Instruction& instruction = *at(i);
  const sass::Control& control = instruction.control;
  std::vector<std::string> sentences;
  const auto add = [&](std::string_view key, const Narration::Values& values = {}) {
    sentences.push_back(narration.text("translator.schedule", key, values));
  };
  add(control.stall == 1 ? "stalls_one" : "stalls", {{"cycles", fmt::to_string(control.stall)}});
  if (control.yield) add("yields");
  const auto known =
      setters ? sass::awaited(kernel.code, flow, static_cast<std::uint32_t>(i)) : std::vector<sass::BarrierSetter>();
  for (std::uint8_t barrier = 0; barrier < dependence_barriers; ++barrier) {
    if ((control.wait_mask >> barrier & 1) == 0) continue;
    std::vector<sass::BarrierSetter> own;
    std::ranges::copy_if(known, std::back_inserter(own),
                         [&](const sass::BarrierSetter& s) { return s.barrier == barrier; });
    Narration::Values values = {{"barrier", fmt::to_string(barrier)}, {"count", fmt::to_string(own.size())}};
    if (own.empty()) {
      add(setters ? "waits_for_none" : "waits", values);
      continue;
    }
    // If there are several, name the nearest one before this instruction, else the last one of the loop.
    const auto before =
        std::ranges::find_if(own.rbegin(), own.rend(), [&](const sass::BarrierSetter& s) { return s.instruction < i; });
    const std::uint32_t nearest = before == own.rend() ? own.back().instruction : before->instruction;
    values["address"] =
        number_text(CodeKind::sass, static_cast<std::int64_t>(std::size_t{nearest} * sass::instruction_bytes));
    values["op"] = at(nearest) == nullptr ? std::string("?") : std::string(sass::name_of(at(nearest)->opcode));
    add(own.size() == 1 ? "waits_for" : "waits_for_several", values);
  }
  if (control.write_barrier < dependence_barriers)
    add("sets_write", {{"barrier", fmt::to_string(control.write_barrier)}});
  if (control.read_barrier < dependence_barriers) add("sets_read", {{"barrier", fmt::to_string(control.read_barrier)}});
  std::string reused;
  for (const sass::Operand& operand : instruction.operands)
    if (operand.reuse) reused += fmt::format("{}R{}", reused.empty() ? "" : ", ", operand.reg);
  if (!reused.empty()) add("reuses", {{"registers", reused}});
  return sentences;
}

}  // namespace warpwalk::story
