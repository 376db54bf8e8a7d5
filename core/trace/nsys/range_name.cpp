#include "core/trace/nsys/range_name.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/trace/json/json_cursor.h"
#include "core/trace/json/numbers.h"

namespace warpwalk::trace::nsys {
namespace {

// The parts that PyTorch appends, in this order.
constexpr std::string_view sequence_part = ", seq = ", op_id_part = ", op_id = ", sizes_part = ", sizes = ",
                           inputs_part = ", input_op_ids = ";

// Removes `part` and the digits after it from the front of the text and returns their number.
std::optional<std::int64_t> take_number(std::string_view& text, std::string_view part) {
  if (!text.starts_with(part)) return {};
  const std::string_view rest = text.substr(part.size());
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  if (digits == 0 || digits > 18) return {};
  text = rest.substr(digits);
  return parse_integer(rest.substr(0, digits));
}

// Removes `part` and the brackets after it from the front of the text and returns the brackets with what they hold.
std::string_view take_brackets(std::string_view& text, std::string_view part) {
  if (!text.starts_with(part)) return {};
  const std::string_view rest = text.substr(part.size());
  int depth = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '[') ++depth;
    if (rest[i] == ']') --depth;
    if (depth != 0) continue;
    if (i == 0) return {};  // no bracket
    text = rest.substr(i + 1);
    return rest.substr(0, i + 1);
  }
  return {};
}

bool is_sizes(std::string_view text) {
  if (text.find_first_not_of("[]0123456789-, ") != std::string_view::npos) return false;
  JsonCursor cursor(text, true);
  RawValue value;
  return cursor.value(value) && cursor.at_end() && value.irregular == 0;
}

// An operator's name without appended parts, as PyTorch writes one that has neither a sequence nor a number.
bool is_aten_name(std::string_view text) {
  constexpr std::string_view library = "aten::";
  if (!text.starts_with(library) || text.size() == library.size()) return false;
  return std::ranges::all_of(text.substr(library.size()), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
}

}  // namespace

RangeName read_range_name(std::string_view text) {
  RangeName out;
  out.name = text;
  std::size_t at = std::string_view::npos;
  for (const std::string_view part : {sequence_part, op_id_part, sizes_part, inputs_part})
    at = std::min(at, text.find(part));
  if (at == std::string_view::npos || at == 0) {
    out.op = is_aten_name(text);
    return out;
  }
  std::string_view rest = text.substr(at);
  RangeName read;
  read.name = text.substr(0, at);
  read.sequence = take_number(rest, sequence_part).value_or(absent);
  read.op_id = take_number(rest, op_id_part).value_or(absent);
  read.sizes = take_brackets(rest, sizes_part);
  read.input_op_ids = take_brackets(rest, inputs_part);
  if (!rest.empty() || (!read.sizes.empty() && !is_sizes(read.sizes))) return out;
  read.op = read.sequence != absent || read.name.find("::") != std::string_view::npos;
  return read;
}

}  // namespace warpwalk::trace::nsys
