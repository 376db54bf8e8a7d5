#include "core/story/facts/code/instruction_words.h"

#include <algorithm>

#include <fmt/format.h>

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

}  // namespace warpwalk::story
