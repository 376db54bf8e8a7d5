#include "core/ops/expression/expression.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/ops/expression/parsing.h"

namespace warpwalk::ops {
namespace {

void collect_names(const ExpressionNode& node, std::vector<std::string>& names) {
  if (node.kind == ExpressionNode::Kind::name && std::ranges::find(names, node.name) == names.end())
    names.push_back(node.name);
  for (const auto& operand : node.operands) collect_names(*operand, names);
}

bool is_python_constant(std::string_view name) { return name == "True" || name == "False" || name == "None"; }

}  // namespace

std::variant<Expression, ExpressionError> Expression::parse(std::string_view text) {
  try {
    if (text.size() > max_expression_bytes)
      fail({max_expression_bytes, 1}, fmt::format("the expression has {} characters", text.size()),
           fmt::format("at most {} are allowed", max_expression_bytes));
    Expression expression;
    expression.text_ = text;
    expression.root_ = parse_tokens(lex(expression.text_));
    return expression;
  } catch (ExpressionFault& fault) {
    return std::move(fault.error);
  }
}

std::vector<std::string> Expression::names() const {
  std::vector<std::string> names;
  collect_names(root(), names);
  return names;
}

std::optional<std::vector<std::string>> names_in(std::string_view text) {
  try {
    std::vector<std::string> names;
    const std::vector<Token> tokens = lex(text);
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {  // the last token is the end
      const std::string_view name = tokens[i].text;
      const auto is = [&](std::size_t at, std::string_view symbol) {
        return tokens[at].kind == Token::Kind::symbol && tokens[at].text == symbol;
      };
      if (tokens[i].kind != Token::Kind::name || is_keyword(name) || is_python_constant(name)) continue;
      if ((i > 0 && is(i - 1, ".")) || is(i + 1, "(") || is(i + 1, "=")) continue;
      if (is(i + 1, ".") && (name == "torch" || (name == "F" && is(std::min(i + 3, tokens.size() - 1), "(")))) continue;
      if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
    }
    return names;
  } catch (const ExpressionFault&) {
    return {};
  }
}

std::optional<Sizes> parse_shape(std::string_view text) {
  if (text == "scalar") return Sizes{};
  Sizes sizes;
  std::int64_t elements = 1;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find('x', from), text.size());
    std::int64_t size = 0;
    const auto [rest, error] = std::from_chars(text.data() + from, text.data() + to, size);
    if (error != std::errc{} || rest != text.data() + to || size < 0 || sizes.size() == max_dims) return {};
    // The limit also applies to the other sizes if one is 0, because strides are products of them.
    if (size > max_elements / elements) return {};
    elements *= std::max<std::int64_t>(size, 1);
    sizes.push_back(size);
    from = to + 1;
  }
  return sizes;
}

}  // namespace warpwalk::ops
