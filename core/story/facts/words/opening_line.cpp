#include "core/story/facts/words/opening_line.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/memory/tensor_layout.h"
#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"

namespace warpwalk::story {
namespace {

// Ops that Python writes with a sign, and ops of one tensor that can follow them in a line.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> signs = {{{"aten::matmul", "@"},
                                                                                 {"aten::mm", "@"},
                                                                                 {"aten::add", "+"},
                                                                                 {"aten::sub", "-"},
                                                                                 {"aten::mul", "*"},
                                                                                 {"aten::div", "/"}}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> functions = {{{"aten::relu", "torch.relu"},
                                                                                     {"aten::sigmoid", "torch.sigmoid"},
                                                                                     {"aten::tanh", "torch.tanh"},
                                                                                     {"aten::exp", "torch.exp"},
                                                                                     {"aten::abs", "torch.abs"},
                                                                                     {"aten::neg", "torch.neg"}}};

template <class Table>
std::string_view find_in(const Table& table, std::string_view name) {
  const auto at = std::ranges::find(table, name, [](const auto& row) { return row.first; });
  return at == table.end() ? std::string_view() : at->second;
}

// The tensors of an op with names, "a, b"; "..." if their number is not recorded.
std::vector<std::string> operand_names(const Trace& trace, SliceId op) {
  std::vector<std::string> names;
  const std::size_t count = analysis::tensors_of(trace, op).size();
  for (std::size_t i = 0; i < count; ++i) names.emplace_back(1, static_cast<char>('a' + i));
  return names;
}

// The tokens of an op with these inputs. The token of the op itself is marked as followed.
std::vector<LineToken> call_tokens(const Trace& trace, SliceId op, const std::vector<std::string>& inputs,
                                   bool followed) {
  const std::string_view name = trace.name(op);
  if (const std::string_view sign = find_in(signs, name); !sign.empty() && inputs.size() == 2)
    return {{inputs[0] + " ", false}, {std::string(sign), followed}, {" " + inputs[1], false}};
  const std::string_view function = find_in(functions, name);
  std::string arguments;
  for (const std::string& input : inputs) arguments.append(arguments.empty() ? "" : ", ").append(input);
  if (arguments.empty()) arguments = "…";
  return {{function.empty() ? analysis::shortened(name, 40) : std::string(function), followed},
          {"(" + arguments + ")", false}};
}

std::string joined(const std::vector<LineToken>& tokens) {
  std::string text;
  for (const LineToken& token : tokens) text += token.text;
  return text;
}

// Words, numbers and signs of a typed expression, with the white space before them.
std::vector<LineToken> expression_tokens(std::string_view text) {
  std::vector<LineToken> tokens;
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && text[end] == ' ') ++end;
    if (end < text.size() && in_word(text[end]))
      while (end < text.size() && in_word(text[end])) ++end;
    else
      end = std::min(text.size(), end + 1);
    tokens.push_back({std::string(text.substr(i, end - i)), false});
    i = end;
  }
  return tokens;
}

// The one place where the expression names the op; none if it names it more than once.
void mark_op(std::string_view op, std::vector<LineToken>& tokens) {
  std::vector<std::string_view> spellings;
  if (const std::string_view sign = find_in(signs, op); !sign.empty()) spellings.push_back(sign);
  if (op.starts_with("aten::")) op.remove_prefix(6);
  op = op.substr(0, op.find('.'));
  spellings.push_back(op);
  LineToken* found = nullptr;
  for (LineToken& token : tokens) {
    std::string_view word = token.text;
    word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
    if (word.starts_with("torch.")) word.remove_prefix(6);
    if (std::ranges::find(spellings, word) == spellings.end()) continue;
    if (found != nullptr) return;
    found = &token;
  }
  if (found != nullptr) found->followed = true;
}

// The next or the previous op of the same thread that no other op encloses, if it is among the nearest.
SliceId neighbour(const Trace& trace, SliceId op, bool next) {
  constexpr std::size_t nearest = 256;
  const auto& rows = trace.slices;
  const std::size_t here = number_of(trace, op);
  for (std::size_t step = 1; step <= nearest; ++step) {
    if (next ? here + step >= trace.op_order.size() : step > here) break;
    const SliceId other = trace.op_order[next ? here + step : here - step];
    if (rows.track[other] == rows.track[op] && analysis::has_depth(trace, other, 0)) return other;
  }
  return no_slice;
}

// Whether the second op is a function of one tensor that has the shape of the first one's result.
bool follows_on(const Trace& trace, SliceId first, SliceId second) {
  if (first == no_slice || second == no_slice || find_in(signs, trace.name(first)).empty() ||
      find_in(functions, trace.name(second)).empty())
    return false;
  const std::vector<analysis::Tensor> inputs = analysis::tensors_of(trace, first),
                                      taken = analysis::tensors_of(trace, second);
  const std::optional<analysis::Tensor> result = analysis::output_of(trace.name(first), inputs);
  return inputs.size() == 2 && taken.size() == 1 && result && taken[0].sizes == result->sizes &&
         taken[0].type == result->type;
}

std::optional<OpeningLine> line_of_launch(const Trace& trace, const Walk& walk) {
  if (walk.launch == no_slice) return {};
  OpeningLine line;
  line.from = OpeningLine::From::launch;
  const trace::KernelDetail* const kernel = kernel_detail(trace, walk);
  if (kernel == nullptr || kernel->grid[0] <= 0 || kernel->block[0] <= 0) {
    line.tokens = {{analysis::shortened(analysis::label_of(trace, walk.launch), 40), true}, {"(…)", false}};
  } else {
    line.tokens = {
        {analysis::shortened(analysis::label_of(trace, walk.kernel), 32), true},
        {fmt::format("<<<{}, {}>>>", analysis::shape_text(kernel->grid), analysis::shape_text(kernel->block)), false}};
  }
  return line;
}

}  // namespace

std::string OpeningLine::text() const { return joined(tokens); }

std::optional<OpeningLine> opening_line(const Trace& trace, const Walk& walk) {
  const SliceId root = walk.ops.empty() ? walk.op : walk.ops.front();
  if (root == no_slice || trace.slices.kind[root] != trace::SliceKind::op) return line_of_launch(trace, walk);
  OpeningLine line;
  line.first = root;
  const std::vector<std::string> names = operand_names(trace, root);
  line.result = joined(call_tokens(trace, root, names, true));
  if (analysis::is_typed(trace) && !walk.frames.empty()) {
    line.from = OpeningLine::From::typed;
    line.tokens = expression_tokens(analysis::shortened(trace.records.expression, 60));
    mark_op(trace.name(root), line.tokens);
    if (const SliceId next = neighbour(trace, root, true); follows_on(trace, root, next)) line.second = next;
    return line;
  }
  const auto combine = [&](SliceId first, SliceId second) {
    line.from = OpeningLine::From::ops;
    line.first = first;
    line.second = second;
    line.tokens = {{std::string(find_in(functions, trace.name(second))), second == root}, {"(", false}};
    for (LineToken& token : call_tokens(trace, first, operand_names(trace, first), first == root))
      line.tokens.push_back(std::move(token));
    line.tokens.push_back({")", false});
  };
  if (find_in(signs, trace.name(root)).empty()) {
    if (const SliceId before = neighbour(trace, root, false); follows_on(trace, before, root)) {
      combine(before, root);
      return line;
    }
  } else if (const SliceId next = neighbour(trace, root, true); follows_on(trace, root, next)) {
    combine(root, next);
    return line;
  }
  line.tokens = call_tokens(trace, root, names, true);
  return line;
}

}  // namespace warpwalk::story
