#include <algorithm>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/nearest.h"
#include "core/ops/expression/expression.h"
#include "core/ops/expression/parsing.h"
#include "core/ops/tensor/geometry.h"
#include "core/ops/tensor/promotion.h"

namespace warpwalk::ops {
namespace {

using Kind = ExpressionNode::Kind;

/// The result of a node: a number, or a tensor of this type and these sizes.
struct CheckedValue {
  std::optional<Number> number;
  DType dtype = DType::f32;
  Sizes sizes;
};

PromotionOperand promotion_of(const CheckedValue& value) {
  if (!value.number) return {.dtype = value.dtype, .zero_dim = value.sizes.empty()};
  const bool whole = std::holds_alternative<std::int64_t>(*value.number);
  return {.dtype = whole ? DType::i64 : DType::f64, .number = true};
}

/// The number of elements; none if more than any tensor may have.
std::optional<std::int64_t> bounded_count(const Sizes& sizes) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) {
    if (size > max_elements / count) return {};
    count *= std::max<std::int64_t>(size, 1);
  }
  return count;
}

std::string dims_text(std::size_t dims) {
  if (dims == 0) return "no dimensions";
  return dims == 1 ? "1 dimension" : fmt::format("{} dimensions", dims);
}

bool makes_tensor(const ExpressionNode& node) {
  if (node.kind == Kind::call) return node.function->makes_tensor;
  return node.kind != Kind::name && node.kind != Kind::index && node.kind != Kind::reversed &&
         node.kind != Kind::positive;
}

class Checker {
 public:
  /// `largest`: receives the largest tensor made.
  Checker(std::string_view text, const std::vector<Variable>& variables, LargestTensor& largest)
      : text_(text), variables_(variables), largest_(largest) {}

  CheckedValue check(const ExpressionNode& node) const {
    CheckedValue value = unchecked(node);
    if (value.number) return value;
    if (value.sizes.size() > max_dims)
      fail(node.place, fmt::format("the result has {}, more than {}", dims_text(value.sizes.size()), max_dims),
           "leave out a None");
    if (!bounded_count(value.sizes))
      fail(node.place, fmt::format("the result is {}: more than 2^40 elements", shape_text(value.sizes)),
           "give smaller shapes");
    if (makes_tensor(node)) {
      const auto elements = static_cast<double>(count_of(value.sizes));
      largest_.elements = std::max(largest_.elements, elements);
      largest_.bytes = std::max(largest_.bytes, elements * static_cast<double>(bytes_of(value.dtype)));
    }
    return value;
  }

 private:
  CheckedValue unchecked(const ExpressionNode& node) const {
    switch (node.kind) {
      case Kind::name: return variable(node);
      case Kind::number: return {.number = node.number, .sizes = {}};
      case Kind::negative:
      case Kind::positive: {
        CheckedValue value = check(*node.operands[0]);
        if (value.number) value.number = folded(node, *value.number);
        return value;
      }
      case Kind::add:
      case Kind::subtract:
      case Kind::multiply:
      case Kind::divide: return elementwise(node);
      case Kind::power: return power(node);
      case Kind::matmul: return product(node);
      case Kind::call: return called(node);
      case Kind::reversed: {
        CheckedValue value = tensor(node);
        std::ranges::reverse(value.sizes);
        return value;
      }
      case Kind::index: break;
    }
    return indexed(node);
  }

  /// The operand as written in the expression, if that is short.
  std::string written(const ExpressionNode& node, std::string_view otherwise) const {
    constexpr std::size_t short_enough = 24;
    if (node.whole.length > short_enough) return std::string(otherwise);
    std::string text(text_.substr(node.whole.position, node.whole.length));
    std::ranges::replace_if(
        text, [](char c) { return c >= '\t' && c <= '\r'; }, ' ');
    return text;
  }

  /// Its transpose, as an expression writes it.
  std::string transposed_text(const ExpressionNode& node) const {
    const bool turned = node.kind == Kind::call && node.function->name == "t";
    if (node.kind == Kind::reversed || turned) return written(*node.operands[0], "(...)");
    const bool sign = node.kind == Kind::negative || node.kind == Kind::positive;
    const bool open = node.operands.size() == 2 && node.kind != Kind::call
                          ? node.whole.position == node.operands[0]->whole.position
                          : sign && node.whole.position == node.place.position;
    const std::string text = written(node, "...");
    return open || text == "..." ? fmt::format("({}).T", text) : text + ".T";
  }

  CheckedValue variable(const ExpressionNode& node) const {
    const auto found = std::ranges::find(variables_, node.name, &Variable::name);
    if (found == variables_.end()) unknown(node);
    if (!is_tensor_dtype(found->dtype))
      fail(node.place, fmt::format("{} is of type {}", node.name, name_of(found->dtype)),
           "tensors are of type f16 bf16 f32 f64 i32 i64");
    if (std::ranges::any_of(found->sizes, [](std::int64_t size) { return size < 0; }))
      fail(node.place, fmt::format("{} has a size below 0", node.name), "sizes must be 0 or more");
    return {.number = {}, .dtype = found->dtype, .sizes = found->sizes};
  }

  [[noreturn]] void unknown(const ExpressionNode& node) const {
    const std::string_view shown = std::string_view(node.name).substr(0, 60);
    if (find_function(node.name) != nullptr)
      fail(node.place, fmt::format("{} is a function: its brackets are missing", shown),
           fmt::format("write {}(a)", shown));
    std::vector<std::string_view> names;
    for (const Variable& v : variables_) names.push_back(v.name);
    const std::string message = fmt::format("{} has no shape", shown);
    if (names.empty()) fail(node.place, message, fmt::format("give it one: --shape {}=256x128", shown));
    const std::string_view near = base::nearest_name(node.name, names);
    fail(node.place, message,
         near.empty() ? fmt::format("give it one (--shape {}=256x128), or use a name that has one: {}", shown,
                                    fmt::join(names, " "))
                      : fmt::format("did you mean {}? Names with a shape: {}", near, fmt::join(names, " ")));
  }

  /// The first operand, which must be a tensor.
  CheckedValue tensor(const ExpressionNode& node) const {
    const ExpressionNode& operand = *node.operands[0];
    CheckedValue value = check(operand);
    if (value.number)
      fail(operand.whole, fmt::format("{} is a number, but a tensor is needed here", written(operand, "this")),
           "name a tensor");
    return value;
  }

  CheckedValue power(const ExpressionNode& node) const {
    // Each operand is checked once: powers may be nested.
    const CheckedValue base = check(*node.operands[0]), exponent = check(*node.operands[1]);
    const CheckedValue result = elementwise(node, base, exponent);
    if (result.number || is_float(result.dtype)) return result;
    if (exponent.number && as_double(*exponent.number) < 0)
      fail(node.operands[1]->whole, "an integer to a negative power is not an integer",
           "write the exponent as a float: -1.0 for -1");
    return result;
  }

  CheckedValue elementwise(const ExpressionNode& node) const {
    return elementwise(node, check(*node.operands[0]), check(*node.operands[1]));
  }

  CheckedValue elementwise(const ExpressionNode& node, const CheckedValue& left, const CheckedValue& right) const {
    if (left.number && right.number) return {.number = folded(node, *left.number, *right.number), .sizes = {}};
    const DType dtype = promoted({promotion_of(left), promotion_of(right)});
    CheckedValue result{.number = {}, .dtype = node.kind == Kind::divide ? floating(dtype) : dtype, .sizes = {}};
    if (left.number || right.number)
      result.sizes = left.number ? right.sizes : left.sizes;
    else
      result.sizes = broadcast_at(node, left.sizes, right.sizes);
    return result;
  }

  Sizes broadcast_at(const ExpressionNode& node, const Sizes& left, const Sizes& right) const {
    for (std::size_t back = 1; back <= std::min(left.size(), right.size()); ++back) {
      const std::int64_t l = left[left.size() - back], r = right[right.size() - back];
      if (l == r || l == 1 || r == 1) continue;
      const ExpressionNode &a = *node.operands[0], &b = *node.operands[1];
      fail(node.place,
           fmt::format("{} is {}, {} is {}: dimension -{} (counted from the last) is {} and {}; the sizes must be "
                       "equal, or one must be 1",
                       written(a, "the left side"), shape_text(left), written(b, "the right side"), shape_text(right),
                       back, l, r),
           broadcast_hint(node, left, right));
    }
    return broadcast(left, right);
  }

  std::string broadcast_hint(const ExpressionNode& node, const Sizes& left, const Sizes& right) const {
    const ExpressionNode &a = *node.operands[0], &b = *node.operands[1];
    if (left.size() == 2 && right.size() == 2 && left[0] == right[1] && left[1] == right[0])
      return fmt::format("{} on the right would fit", transposed_text(b));
    // A vector meant as a column.
    if (left.size() == 2 && right.size() == 1 && right[0] == left[0] && b.kind == Kind::name)
      return fmt::format("{}[:, None], a column, would fit", b.name);
    if (right.size() == 2 && left.size() == 1 && left[0] == right[0] && a.kind == Kind::name)
      return fmt::format("{}[:, None], a column, would fit", a.name);
    if (b.kind == Kind::name) return fmt::format("--shape {}={} would fit", b.name, shape_text(left));
    if (a.kind == Kind::name) return fmt::format("--shape {}={} would fit", a.name, shape_text(right));
    return "a dimension of size 1 would be repeated";
  }

  CheckedValue product(const ExpressionNode& node) const {
    const ExpressionNode &a = *node.operands[0], &b = *node.operands[1];
    const CheckedValue left = check(a), right = check(b);
    if (left.number && right.number) folded(node, *left.number, *right.number);
    if (left.number || right.number)
      fail(node.place, fmt::format("@ multiplies matrices; {} is a number", written(left.number ? a : b, "one side")),
           "write * for a number");
    if (left.sizes.empty() || right.sizes.empty())
      fail(node.place,
           fmt::format("@ multiplies matrices and vectors; {} has no dimensions",
                       written(left.sizes.empty() ? a : b, "one side")),
           "write * for a scalar");
    if (left.dtype != right.dtype)
      fail(node.place,
           fmt::format("{} is {}, {} is {}: @ needs the same type on both sides", written(a, "the left side"),
                       name_of(left.dtype), written(b, "the right side"), name_of(right.dtype)),
           type_hint(a, b, left.dtype, right.dtype));
    const std::int64_t columns = left.sizes.back();
    const std::int64_t rows = right.sizes.size() == 1 ? right.sizes[0] : right.sizes[right.sizes.size() - 2];
    if (columns != rows) inner_mismatch(node, left.sizes, right.sizes);
    return {.number = {}, .dtype = left.dtype, .sizes = product_sizes(node, left.sizes, right.sizes)};
  }

  static std::string type_hint(const ExpressionNode& a, const ExpressionNode& b, DType left, DType right) {
    const bool change_left = is_float(right) && !is_float(left) && a.kind == Kind::name;
    if (b.kind == Kind::name && !change_left) return fmt::format("--dtype {}={} would fit", b.name, name_of(left));
    if (a.kind == Kind::name) return fmt::format("--dtype {}={} would fit", a.name, name_of(right));
    return "give all inputs the same --dtype";
  }

  [[noreturn]] void inner_mismatch(const ExpressionNode& node, const Sizes& left, const Sizes& right) const {
    const ExpressionNode &a = *node.operands[0], &b = *node.operands[1];
    const std::string left_name = written(a, "the left side"), right_name = written(b, "the right side");
    const std::int64_t columns = left.back(), rows = right.size() == 1 ? right[0] : right[right.size() - 2];
    fail(node.place,
         fmt::format("{0} is {1}, {2} is {3}: the {4} of {0} ({5}) and the {6} of {2} ({7}) must be equal", left_name,
                     shape_text(left), right_name, shape_text(right), left.size() == 1 ? "elements" : "columns",
                     columns, right.size() == 1 ? "elements" : "rows", rows),
         inner_hint(a, b, left, right));
  }

  std::string inner_hint(const ExpressionNode& a, const ExpressionNode& b, const Sizes& left,
                         const Sizes& right) const {
    const std::int64_t columns = left.back(), rows = right.size() == 1 ? right[0] : right[right.size() - 2];
    std::string hint;
    if (b.kind == Kind::name && a.name != b.name) {
      Sizes fitting = right;
      (right.size() == 1 ? fitting[0] : fitting[right.size() - 2]) = columns;
      hint = fmt::format("{} needs {} {}: --shape {}={}", b.name, columns, right.size() == 1 ? "elements" : "rows",
                         b.name, shape_text(fitting));
    } else if (a.kind == Kind::name && a.name != b.name) {
      Sizes fitting = left;
      fitting.back() = rows;
      hint = fmt::format("{} needs {} {}: --shape {}={}", a.name, rows, left.size() == 1 ? "elements" : "columns",
                         a.name, shape_text(fitting));
    }
    std::string transposed;
    if (right.size() == 2 && right[1] == columns)
      transposed = fmt::format("{} @ {}", written(a, "..."), transposed_text(b));
    else if (left.size() == 2 && left[0] == rows)
      transposed = fmt::format("{} @ {}", transposed_text(a), written(b, "..."));
    if (hint.empty() && transposed.empty()) return "rows of the right side and columns of the left are summed together";
    if (transposed.empty()) return hint;
    return hint.empty() ? fmt::format("{} would fit", transposed) : fmt::format("{}; or {}", hint, transposed);
  }

  /// torch.matmul's: vectors lose their dimension, those before the last two are broadcast.
  Sizes product_sizes(const ExpressionNode& node, const Sizes& left, const Sizes& right) const {
    const auto batch_of = [](const Sizes& sizes) {
      return Sizes(sizes.begin(), sizes.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(sizes.size(), 2)));
    };
    const Sizes left_batch = batch_of(left), right_batch = batch_of(right);
    for (std::size_t back = 1; back <= std::min(left_batch.size(), right_batch.size()); ++back) {
      const std::int64_t l = left_batch[left_batch.size() - back], r = right_batch[right_batch.size() - back];
      if (l == r || l == 1 || r == 1) continue;
      fail(node.place,
           fmt::format("{} is {}, {} is {}: dimension -{} (counted from the last) has {} and {} matrices; the counts "
                       "must be equal, or one must be 1",
                       written(*node.operands[0], "the left side"), shape_text(left),
                       written(*node.operands[1], "the right side"), shape_text(right), back + 2, l, r),
           "use the same number of matrices on both sides, or one matrix for all");
    }
    Sizes sizes = broadcast(left_batch, right_batch);
    if (left.size() > 1) sizes.push_back(left[left.size() - 2]);
    if (right.size() > 1) sizes.push_back(right.back());
    return sizes;
  }

  CheckedValue called(const ExpressionNode& node) const {
    std::vector<CheckedArgument> arguments;
    for (std::size_t i = 0; i < node.arguments.size(); ++i) arguments.push_back(checked_argument(node, i));
    try {
      TensorType result = node.function->check(arguments);
      return {.number = {}, .dtype = result.dtype, .sizes = std::move(result.sizes)};
    } catch (ArgumentFault& fault) {
      const WrittenArgument& argument = node.arguments[fault.parameter];
      const auto* const operand = std::get_if<WrittenArgument::Operand>(&argument.value);
      const ExpressionNode& meant = *node.operands[operand == nullptr ? 0 : operand->row];
      if (const std::size_t at = fault.message.find("{}"); at != std::string::npos)
        fault.message.replace(at, 2, written(meant, "the tensor"));
      const bool at_function = fault.parameter == 0 || std::holds_alternative<None>(argument.value);
      fail(at_function ? node.place : argument.place, std::move(fault.message), std::move(fault.hint));
    }
  }

  CheckedArgument checked_argument(const ExpressionNode& node, std::size_t parameter) const {
    const auto& value = node.arguments[parameter].value;
    const auto* const operand = std::get_if<WrittenArgument::Operand>(&value);
    if (operand == nullptr)
      return std::visit(
          [](const auto& constant) -> CheckedArgument {
            if constexpr (std::is_same_v<std::decay_t<decltype(constant)>, WrittenArgument::Operand>)
              return None{};
            else
              return constant;
          },
          value);
    const ExpressionNode& written_as = *node.operands[operand->row];
    CheckedValue checked = check(written_as);
    if (!checked.number) return TensorType{checked.dtype, std::move(checked.sizes)};
    if (node.function->parameters[parameter].kind != Parameter::Kind::tensor_or_number)
      fail(written_as.whole, fmt::format("{} is a number, but a tensor is needed here", written(written_as, "this")),
           "name a tensor");
    return std::visit([](auto number) -> CheckedArgument { return number; }, *checked.number);
  }

  CheckedValue indexed(const ExpressionNode& node) const {
    CheckedValue value = tensor(node);
    const auto taking = static_cast<std::size_t>(std::ranges::count_if(node.items, [](const IndexItem& item) {
      return item.kind == IndexItem::Kind::slice || item.kind == IndexItem::Kind::index;
    }));
    const std::size_t dims = value.sizes.size();
    if (taking > dims)
      fail(node.place,
           fmt::format("{} has {}, but {} are indexed", written(*node.operands[0], "the tensor"), dims_text(dims),
                       taking),
           dims == 0 ? "leave the index out" : "leave out the last index");
    std::size_t dim = 0;
    for (const IndexItem& item : node.items) switch (item.kind) {
        case IndexItem::Kind::slice:
          value.sizes[dim] =
              sliced(contiguous_geometry({value.sizes[dim]}), 0, item.start, item.stop, item.step).sizes[0];
          ++dim;
          break;
        case IndexItem::Kind::index:
          select(item, value.sizes[dim], dim);
          value.sizes.erase(value.sizes.begin() + static_cast<std::ptrdiff_t>(dim));
          break;
        case IndexItem::Kind::new_dim:
          value.sizes.insert(value.sizes.begin() + static_cast<std::ptrdiff_t>(dim++), 1);
          break;
        case IndexItem::Kind::ellipsis: dim += dims - taking; break;
      }
    return value;
  }

  static void select(const IndexItem& item, std::int64_t size, std::size_t dim) {
    if (item.index >= -size && item.index < size) return;
    fail(item.place, fmt::format("dimension {} has {} elements: there is no element {}", dim, size, item.index),
         size == 0 ? "it is empty" : fmt::format("indices go from {} to {}", -size, size - 1));
  }

  std::string_view text_;
  const std::vector<Variable>& variables_;
  LargestTensor& largest_;
};

}  // namespace

std::variant<Variable, ExpressionError> check(const Expression& expression, const std::vector<Variable>& variables) {
  try {
    LargestTensor largest;
    CheckedValue value = Checker(expression.text(), variables, largest).check(expression.root());
    if (value.number)
      fail(expression.root().whole, "the expression has only numbers and no tensor", "name a tensor: 2 * a");
    return Variable{{}, value.dtype, std::move(value.sizes)};
  } catch (ExpressionFault& fault) {
    return std::move(fault.error);
  }
}

LargestTensor largest_made(const Expression& expression, const std::vector<Variable>& variables) {
  LargestTensor largest;
  Checker(expression.text(), variables, largest).check(expression.root());
  return largest;
}

}  // namespace warpwalk::ops
