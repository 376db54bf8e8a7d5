#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/ops/expression/expression.h"
#include "core/ops/expression/parsing.h"
#include "core/ops/tensor/geometry.h"

namespace warpwalk::ops {
namespace {

using Kind = ExpressionNode::Kind;
using EvaluatedValue = std::variant<Tensor, Number>;

Argument argument_of(const EvaluatedValue& value) {
  if (const Tensor* const tensor = std::get_if<Tensor>(&value)) return *tensor;
  return std::visit([](const auto number) -> Argument { return number; }, std::get<Number>(value));
}

std::string_view op_of(Kind kind) {
  switch (kind) {
    case Kind::negative: return "aten::neg";
    case Kind::add: return "aten::add.Tensor";
    case Kind::subtract: return "aten::sub.Tensor";
    case Kind::multiply: return "aten::mul.Tensor";
    case Kind::divide: return "aten::div.Tensor";
    case Kind::matmul: return "aten::matmul";
    default: return "aten::numpy_T";
  }
}

class Evaluator {
 public:
  Evaluator(Dispatcher& dispatcher, const std::vector<std::string>& names, const std::vector<Tensor>& tensors)
      : dispatcher_(dispatcher), names_(names), tensors_(tensors) {}

  /// Operands live until their op is done, as Python's temporaries do; then their memory is freed.
  EvaluatedValue value(const ExpressionNode& node) {
    if (node.kind == Kind::number) return node.number;
    if (node.kind == Kind::name)
      return tensors_.at(static_cast<std::size_t>(std::ranges::find(names_, node.name) - names_.begin()));
    std::vector<EvaluatedValue> operands;
    for (const auto& operand : node.operands) operands.push_back(value(*operand));
    if (node.kind == Kind::call) return called(node, operands);
    if (operands.size() == 2) return binary(node, operands[0], operands[1]);
    if (const auto* const number = std::get_if<Number>(&operands[0])) return folded(node, *number);
    const Tensor& tensor = std::get<Tensor>(operands[0]);
    if (node.kind == Kind::positive) return tensor;
    if (node.kind == Kind::index) return indexed(node, tensor);
    return dispatcher_.call(op_of(node.kind), {tensor});
  }

 private:
  /// A number on the left: Python asks the tensor on the right (__radd__, __rsub__, ...), and so do these.
  EvaluatedValue binary(const ExpressionNode& node, const EvaluatedValue& left, const EvaluatedValue& right) {
    const auto* const number = std::get_if<Number>(&left);
    if (number == nullptr && node.kind == Kind::power) return power(left, right);
    if (number == nullptr) return dispatcher_.call(op_of(node.kind), {argument_of(left), argument_of(right)});
    if (const auto* const other = std::get_if<Number>(&right)) return folded(node, *number, *other);
    if (node.kind == Kind::power) return power(left, right);
    if (node.kind == Kind::subtract)
      return dispatcher_.call("aten::rsub.Scalar", {argument_of(right), argument_of(left)});
    if (node.kind == Kind::divide)
      return dispatcher_.call("aten::mul.Tensor",
                              {dispatcher_.call("aten::reciprocal", {argument_of(right)}), argument_of(left)});
    return dispatcher_.call(op_of(node.kind), {argument_of(right), argument_of(left)});
  }

  /// ** is the function pow.
  Tensor power(const EvaluatedValue& left, const EvaluatedValue& right) {
    return find_function("pow")->call(dispatcher_, {argument_of(left), argument_of(right)});
  }

  Tensor called(const ExpressionNode& node, const std::vector<EvaluatedValue>& operands) {
    std::vector<Argument> arguments;
    for (const WrittenArgument& argument : node.arguments)
      arguments.push_back(std::visit(
          [&](const auto& value) -> Argument {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, WrittenArgument::Operand>)
              return argument_of(operands[value.row]);
            else
              return value;
          },
          argument.value));
    if (node.function->call != nullptr) return node.function->call(dispatcher_, arguments);
    while (std::holds_alternative<None>(arguments.back())) arguments.pop_back();
    return dispatcher_.call(node.function->op, std::move(arguments));
  }

  /// Item by item from the left. PyTorch calls no op for a slice of all, unless it is the only item.
  Tensor indexed(const ExpressionNode& node, Tensor tensor) {
    const auto taking = std::ranges::count_if(node.items, [](const IndexItem& item) {
      return item.kind == IndexItem::Kind::slice || item.kind == IndexItem::Kind::index;
    });
    std::int64_t dim = 0;
    const std::int64_t skipped = static_cast<std::int64_t>(tensor.sizes().size()) - taking;
    for (const IndexItem& item : node.items) switch (item.kind) {
        case IndexItem::Kind::slice:
          if (node.items.size() == 1 || item.start.value_or(0) != 0 || item.stop || item.step != 1)
            tensor = dispatcher_.call("aten::slice.Tensor",
                                      {tensor, dim, item.start.value_or(0),
                                       item.stop.value_or(std::numeric_limits<std::int64_t>::max()), item.step});
          ++dim;
          break;
        case IndexItem::Kind::index: tensor = dispatcher_.call("aten::select.int", {tensor, dim, item.index}); break;
        case IndexItem::Kind::new_dim: tensor = dispatcher_.call("aten::unsqueeze", {tensor, dim++}); break;
        case IndexItem::Kind::ellipsis: dim += skipped; break;
      }
    return tensor;
  }

  Dispatcher& dispatcher_;
  const std::vector<std::string>& names_;
  const std::vector<Tensor>& tensors_;
};

}  // namespace

Tensor evaluate(const Expression& expression, Dispatcher& dispatcher, const std::vector<Tensor>& tensors) {
  const std::vector<std::string> names = expression.names();
  try {
    return std::get<Tensor>(Evaluator(dispatcher, names, tensors).value(expression.root()));
  } catch (const ExpressionFault& fault) {
    throw OpError(fault.error.message);
  }
}

}  // namespace warpwalk::ops
