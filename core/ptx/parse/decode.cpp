#include "core/ptx/parse/decode.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace warpwalk::ptx {
namespace {

/// How far a form matched, in increasing order. The error reports why the best match failed.
enum class MatchProgress { suffix, type, missing, fits };

struct Attempt {
  MatchProgress nearness = MatchProgress::suffix;
  std::string why;
  Decoded decoded;
};

std::vector<std::string_view> suffixes_of(std::string_view word, std::size_t opcode_length) {
  std::vector<std::string_view> parts;
  for (std::size_t at = opcode_length; at < word.size();) {
    const std::size_t end = std::min(word.find('.', at + 1), word.size());
    parts.push_back(word.substr(at + 1, end - at - 1));
    at = end;
  }
  return parts;
}

void set_suffix(Instruction& pattern, const Suffix& suffix) {
  switch (suffix.field) {
    case Field::modifier:
    case Field::a_layout:
    case Field::b_layout: pattern.modifiers.set(suffix.value); break;
    case Field::compare: pattern.compare = static_cast<Compare>(suffix.value); break;
    case Field::action: pattern.action = static_cast<Action>(suffix.value); break;
    case Field::rounding: pattern.rounding = static_cast<Rounding>(suffix.value); break;
    case Field::vector: pattern.vector = suffix.value; break;
    case Field::columns: pattern.columns_by_8 = suffix.value; break;
    case Field::space:
      pattern.space = static_cast<Space>(suffix.value);
      // .shared::cluster and .param::entry also set a modifier.
      if (suffix.text.find("::") == std::string_view::npos) break;
      if (const Suffix* more = find_suffix(Field::modifier, suffix.text)) pattern.modifiers.set(more->value);
  }
}

std::string choices_of(const Form::Group& group) {
  std::string text;
  for (const Suffix* suffix : group.choices) text += fmt::format("{}.{}", text.empty() ? "" : ", ", suffix->text);
  return text;
}

bool is_source_space(const Form::Group& group) {
  const Suffix& first = *group.choices.front();
  return first.field == Field::modifier && (first.value == static_cast<std::uint8_t>(Modifier::global) ||
                                            first.value == static_cast<std::uint8_t>(Modifier::shared_cta));
}

/// Returns this suffix from the first unfilled group that contains it and marks the group as filled; null for none.
const Suffix* take_suffix(const std::vector<Form::Group>& groups, std::uint64_t& filled, std::string_view text) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if ((filled >> i & 1) != 0) continue;
    // .row.col: the second layout written is that of the second matrix; .shared::cta.global: the second space is that
    // of the source.
    const bool second = groups[i].choices.front()->field == Field::b_layout || is_source_space(groups[i]);
    if (second && (filled >> (i - 1) & 1) == 0) continue;
    for (const Suffix* suffix : groups[i].choices)
      if (suffix->text == text) {
        filled |= std::uint64_t{1} << i;
        return suffix;
      }
  }
  return nullptr;
}

Attempt attempt(const Form& form, const std::vector<std::string_view>& parts) {
  Attempt result;
  result.decoded.form = &form;
  Instruction& pattern = result.decoded.pattern;
  pattern.opcode = form.opcode;
  const std::string_view name = name_of(form.opcode);
  std::uint64_t filled = 0;
  for (const std::string_view part : parts) {
    if (const Type type = find_type(part); type != Type::none) {
      pattern.types.push_back(type);
      continue;
    }
    const Suffix* const suffix = take_suffix(form.groups, filled, part);
    if (suffix == nullptr) {
      result.why = fmt::format(".{} cannot be combined with the rest of this {}", part, name);
      return result;
    }
    set_suffix(pattern, *suffix);
  }
  result.nearness = MatchProgress::type;
  for (std::size_t i = 0; i < std::min(pattern.types.size(), form.types.size()); ++i)
    if ((form.types[i] >> static_cast<unsigned>(pattern.types[i]) & 1) == 0) {
      result.why = fmt::format("this {} does not take the type .{} here", name, name_of(pattern.types[i]));
      return result;
    }
  if (pattern.types.size() != form.types.size()) {
    result.why = fmt::format("this {} takes {} type{}, not {}", name, form.types.size(),
                             form.types.size() == 1 ? "" : "s", pattern.types.size());
    return result;
  }
  result.nearness = MatchProgress::missing;
  for (std::size_t i = 0; i < form.groups.size(); ++i)
    if ((filled >> i & 1) == 0 && !form.groups[i].optional) {
      result.why = fmt::format("this {} needs {}{}", name, form.groups[i].choices.size() > 1 ? "one of " : "",
                               choices_of(form.groups[i]));
      return result;
    }
  result.nearness = MatchProgress::fits;
  return result;
}

}  // namespace

Decoded decode(const Token& word) {
  std::size_t length = 0;
  const Opcode opcode = match_opcode(word.text, length);
  if (opcode == Opcode::none) fail(word, "unknown instruction");
  const std::vector<std::string_view> parts = suffixes_of(word.text, length);
  for (const std::string_view part : parts)
    if (!is_suffix(part)) fail(word, fmt::format("unknown modifier .{} of {}", part.substr(0, 40), name_of(opcode)));

  Attempt best;
  for (const Form& form : forms_of(opcode)) {
    Attempt result = attempt(form, parts);
    const bool better = best.decoded.form == nullptr || result.nearness > best.nearness;
    if (!better) continue;
    best = std::move(result);
    if (best.nearness == MatchProgress::fits) break;
  }
  if (best.nearness != MatchProgress::fits) fail(word, best.why);
  const Instruction& pattern = best.decoded.pattern;
  if (pattern.vector * bytes_of(pattern.type()) > 16) fail(word, "vectors are limited to 16 bytes before sm_100");
  const bool cached =
      pattern.has(Modifier::cache_hint) || pattern.has(Modifier::l1_hint) || pattern.has(Modifier::l2_prefetch);
  if (cached && pattern.space != Space::generic && pattern.space != Space::global && !pattern.has(Modifier::global))
    fail(word, fmt::format("a cache hint for .global cannot be combined with .{}", name_of(pattern.space)));
  return best.decoded;
}

}  // namespace warpwalk::ptx
