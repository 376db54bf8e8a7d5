#include "core/sass/word.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/base/enum_names.h"

namespace warpwalk::sass {
namespace {

/// Parts of enumerators that follow a dot: f32_ftz_rn is F32.FTZ.RN, neg_a_tnsp_b is negA.tnspB. Any other underscore
/// stays.
struct DottedPart {
  std::string_view in_enumerator, in_name;
  bool may_be_first = false;  ///< neg_a is negA; but ftz is FTZ
};
constexpr DottedPart dotted_parts[] = {{"_FTZ", ".FTZ"},
                                       {"_GPU", ".GPU"},
                                       {"_HI_LO", ".HI_LO"},
                                       {"_RN", ".RN"},
                                       {"_SM", ".SM"},
                                       {"_SYS", ".SYS"},
                                       {"_NEG_A", ".negA", true},
                                       {"_NEG_B", ".negB", true},
                                       {"_TNSP_A", ".tnspA", true},
                                       {"_TNSP_B", ".tnspB", true}};

bool is_digit_at(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

/// The name of an enumerator: in upper case, but for the x between two sizes (f16x2 is F16x2); without the n before a
/// number (n128 is 128).
std::string word_name(std::string_view enumerator) {
  if (enumerator.starts_with('n') && is_digit_at(enumerator, 1)) enumerator.remove_prefix(1);
  std::string name = "_";  // as before every part
  for (std::size_t i = 0; i < enumerator.size(); ++i) {
    const char c = enumerator[i];
    const bool between = c == 'x' && i > 0 && is_digit_at(enumerator, i - 1) && is_digit_at(enumerator, i + 1);
    name += c >= 'a' && c <= 'z' && !between ? static_cast<char>(c - 'a' + 'A') : c;
  }
  for (const auto& [part, replacement, may_be_first] : dotted_parts)
    for (std::size_t at = name.find(part, may_be_first ? 0 : 1); at != std::string::npos; at = name.find(part, at + 1))
      if (const std::size_t end = at + part.size(); end == name.size() || name[end] == '_' || name[end] == '.')
        name.replace(at, part.size(), replacement);
  return name.substr(1);
}

/// Indexed by Word.
const std::vector<std::string>& word_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made = {"", ""};  // Word::none and Word::invalid
    for (std::size_t i = made.size(); i < base::enum_names<Word>.size(); ++i)
      made.push_back(word_name(base::enum_names<Word>[i]));
    return made;
  }();
  return names;
}

// Words after those of the enumeration: the shapes of the matrix products of a warp group.
constexpr unsigned group_rows = 64, group_column_step = 8, column_choices = 32;
constexpr std::array<unsigned, 5> depths{8, 16, 32, 64, 256};
constexpr std::size_t first_shape = base::enum_names<Word>.size();

std::vector<std::string> make_shape_names() {
  std::vector<std::string> made;
  for (const unsigned depth : depths)
    for (unsigned i = 1; i <= column_choices; ++i)
      made.push_back(std::to_string(group_rows) + "x" + std::to_string(i * group_column_step) + "x" +
                     std::to_string(depth));
  return made;
}

}  // namespace

Word group_shape(unsigned n, unsigned k) {
  const auto depth = std::ranges::find(depths, k);
  if (depth == depths.end() || n == 0 || n % group_column_step != 0 || n / group_column_step > column_choices)
    return Word::invalid;
  const auto row = static_cast<std::size_t>(depth - depths.begin());
  return static_cast<Word>(first_shape + row * column_choices + n / group_column_step - 1);
}

std::string_view name_of(Word word) {
  static const std::vector<std::string> shape_names = make_shape_names();
  const auto index = static_cast<std::size_t>(word);
  return index < first_shape ? word_names()[index] : shape_names[index - first_shape];
}

Word word_named(std::string_view name) {
  const auto& names = word_names();
  const auto found = std::find(names.begin() + 2, names.end(), name);
  return found == names.end() ? Word::invalid : static_cast<Word>(found - names.begin());
}

}  // namespace warpwalk::sass
