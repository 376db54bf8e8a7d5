#pragma once

// This folder parses and evaluates the expressions that a person types. core/run/expression records them as walks.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/ops/dispatch/dispatcher.h"
#include "core/ops/expression/error.h"

namespace warpwalk::ops {

/// A tensor by name, before it exists.
struct Variable {
  std::string name;
  DType dtype = DType::f32;
  Sizes sizes;
};

struct ExpressionNode;  // the tree, in tree.h

/// An expression in Python's words:
///   names, numbers (2, 0.5, 1e-3), + - * / @ **, unary minus and plus, parentheses,
///   the functions of core/ops/definitions as relu(x), torch.relu(x), F.relu(x) and x.relu(), x.T,
///   x[1:3, ::2, -1, None, ...].
/// Precedence is Python's.
class Expression {
 public:
  static std::variant<Expression, ExpressionError> parse(std::string_view text);

  const std::string& text() const { return text_; }
  /// Names in the order of their first use.
  std::vector<std::string> names() const;
  const ExpressionNode& root() const { return *root_; }

 private:
  std::string text_;
  std::shared_ptr<const ExpressionNode> root_;
};

/// The tensors that a text refers to, which need not be a whole expression yet: its names, but for functions that are
/// called, methods, keyword arguments, and torch and F before a dot. In the order of their first use. Returns nullopt if
/// the text has a character that no expression has.
std::optional<std::vector<std::string>> names_in(std::string_view text);

/// Sizes and type of the result, without computing anything. Errors in names, shapes and types are found here, each at
/// its place in the text.
std::variant<Variable, ExpressionError> check(const Expression& expression, const std::vector<Variable>& variables);

/// The largest tensor that is made on the way to the result, which is one of them; views make none.
struct LargestTensor {
  double elements = 0, bytes = 0;
};
/// Requires that check() has accepted the expression with these variables.
LargestTensor largest_made(const Expression& expression, const std::vector<Variable>& variables);

/// Computes it by calling ops. `tensors` in the order of names(); checked with check() before. Throws OpError for what
/// only shows while computing (memory).
Tensor evaluate(const Expression& expression, Dispatcher& dispatcher, const std::vector<Tensor>& tensors);

/// "256x128", "5", "scalar", as --shape takes it. Returns nullopt if the text is not a shape.
std::optional<Sizes> parse_shape(std::string_view text);

}  // namespace warpwalk::ops
