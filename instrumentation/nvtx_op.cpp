#include "instrumentation/nvtx_op.h"

#include <charconv>

namespace warpwalk::instrumentation {
namespace {

constexpr std::string_view sequence_mark = ", seq = ";
constexpr std::string_view op_id_mark = ", op_id = ";
constexpr std::string_view sizes_mark = ", sizes = ";
constexpr std::string_view inputs_mark = ", input_op_ids = ";

std::optional<std::int64_t> number_after(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + mark.size());
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && (end == text.data() + text.size() || *end == ',');
  return whole ? std::optional(value) : std::nullopt;
}

// The bracketed list at the start of the text, if it holds only integers and lists; otherwise empty.
std::string_view leading_list(std::string_view text) {
  int depth = 0;
  char before = ' ';  // the last non-space character
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ') continue;
    const bool digit = c >= '0' && c <= '9';
    const bool value_before = before == ']' || (before >= '0' && before <= '9');
    if (c == '['   ? value_before
        : c == ']' ? before == ','
        : c == ',' ? !value_before
        : c == '-' ? value_before
                   : !digit)
      return {};
    if (digit && (before == ']' || (value_before && text[i - 1] == ' '))) return {};
    if (before == '-' && !digit) return {};
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    before = c;
    if (depth < 0 || (depth == 0 && c != ']')) return {};
    if (depth == 0) return text.substr(0, i + 1);
  }
  return {};
}

// Names of PyTorch functions have a namespace ("aten::mm", "torch::autograd::AccumulateGrad"). Names of autograd nodes
// end in Backward and a number. A user's range has neither, and no inputs.
bool is_op_name(std::string_view name) {
  if (name.find("::") != std::string_view::npos && name.find(' ') == std::string_view::npos) return true;
  if (name.starts_with("autograd::engine::evaluate_function: ")) return true;
  const std::size_t last = name.find_last_not_of("0123456789");
  return last != std::string_view::npos && name.substr(0, last + 1).ends_with("Backward");
}

}  // namespace

NvtxOp parse_nvtx(std::string_view text) {
  NvtxOp out;
  std::size_t end = text.size();
  for (const std::string_view mark : {sequence_mark, op_id_mark, sizes_mark, inputs_mark})
    end = std::min(end, text.find(mark));
  out.name = text.substr(0, end);
  const std::string_view rest = text.substr(end);
  out.sequence = number_after(rest, sequence_mark);
  out.op_id = number_after(rest, op_id_mark);
  if (const std::size_t at = rest.find(sizes_mark); at != std::string_view::npos)
    out.input_dims = leading_list(rest.substr(at + sizes_mark.size()));
  out.op = is_op_name(out.name) || !out.input_dims.empty();
  return out;
}

}  // namespace warpwalk::instrumentation
