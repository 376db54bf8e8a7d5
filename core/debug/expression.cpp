#include "core/debug/expression.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace warpwalk::debug {

struct Expression::Node {
  enum class Kind : std::uint8_t { value, name, unary, binary, choice, index, member, cast, pointer_cast };
  Kind kind = Kind::value;
  std::string text;  ///< of a name, a member or an operator
  Value value;
  ops::DType type = ops::DType::f32;
  bool reinterprets = false;  ///< cast: f32(x), which keeps the bits
  std::vector<std::shared_ptr<const Node>> parts;
};

Value Value::of(std::int64_t number, std::uint8_t bytes) {
  Value value;
  value.integer = number;
  value.bytes = bytes;
  return value;
}

Value Value::of_real(double number) {
  Value value;
  value.kind = Kind::real;
  value.real = number;
  value.integer = std::bit_cast<std::int64_t>(number);
  return value;
}

Value Value::pointer_to(std::uint64_t address, ops::DType element, Space space) {
  Value value;
  value.kind = Kind::pointer;
  value.address = address;
  value.integer = static_cast<std::int64_t>(address);
  value.element = element;
  value.stride = static_cast<std::uint32_t>(ops::bytes_of(element));
  value.space = space;
  return value;
}

bool Value::truth() const {
  if (kind == Kind::pointer) return source == nullptr || integer != 0;
  return kind == Kind::real ? real != 0 : integer != 0;
}

double Value::as_real() const { return kind == Kind::real ? real : static_cast<double>(integer); }

std::string text_of(const Value& value) {
  if (value.source != nullptr && !value.source->text.empty()) return value.source->text;
  switch (value.kind) {
    case Value::Kind::real: return fmt::format("{}", value.real);
    case Value::Kind::object: return "{...}";
    case Value::Kind::pointer:
      if (value.source != nullptr) return fmt::format("{} {:#x}", value.source->type_name, value.integer);
      return fmt::format("{}* {:#x}", ops::name_of(value.element), value.address);
    case Value::Kind::integer: break;
  }
  if (value.integer >= 0 && value.integer < 10) return fmt::format("{}", value.integer);
  const std::uint64_t bits = static_cast<std::uint64_t>(value.integer);
  return fmt::format("{} ({:#x})", value.integer, value.bytes < 8 ? bits & ((1ULL << 8 * value.bytes) - 1) : bits);
}

Value value_of_bits(ops::DType type, std::uint64_t bits) {
  const auto bytes = static_cast<std::uint8_t>(ops::bytes_of(type));
  if (bytes < 8) bits &= (std::uint64_t{1} << 8 * bytes) - 1;
  Value value;
  if (ops::is_float(type)) {
    value = Value::of_real(ops::float_value(type, bits));
  } else {
    value.integer = static_cast<std::int64_t>(bits);
    if (ops::is_signed(type) && bytes < 8)
      value.integer = static_cast<std::int64_t>(bits << (64 - 8 * bytes)) >> (64 - 8 * bytes);
  }
  if (value.kind == Value::Kind::real) value.integer = static_cast<std::int64_t>(bits);
  value.bytes = bytes;
  return value;
}

base::Result<Value> Names::member(const Value&, std::string_view name) {
  return base::Error{fmt::format("`.{}` needs a struct", name)};
}

namespace {

using Node = Expression::Node;
using NodePtr = std::shared_ptr<const Node>;

constexpr std::size_t most_characters = 2000;
constexpr int most_nested = 100;

struct SyntaxError {
  std::string line;
};

struct CType {
  std::string_view name;
  ops::DType type;
};
constexpr CType c_types[] = {{"float", ops::DType::f32},
                             {"double", ops::DType::f64},
                             {"int", ops::DType::i32},
                             {"unsigned", ops::DType::u32},
                             {"long", ops::DType::i64},
                             {"short", ops::DType::i16},
                             {"char", ops::DType::i8},
                             {"half", ops::DType::f16},
                             {"__half", ops::DType::f16},
                             {"bf16", ops::DType::bf16},
                             {"__nv_bfloat16", ops::DType::bf16},
                             {"size_t", ops::DType::u64},
                             {"s8", ops::DType::i8},
                             {"s16", ops::DType::i16},
                             {"s32", ops::DType::i32},
                             {"s64", ops::DType::i64}};

std::optional<ops::DType> type_named(std::string_view name) {
  for (const CType& type : c_types)
    if (type.name == name) return type.type;
  return ops::dtype_of(name);
}

struct Operator {
  std::string_view text;
  int strength;
};
constexpr Operator operators[] = {{"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7},
                                  {"<<", 8}, {">>", 8}, {"|", 3},  {"^", 4},  {"&", 5},  {"<", 7},
                                  {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : rest_(text) {}

  NodePtr whole() {
    NodePtr node = choice();
    skip();
    if (!rest_.empty()) throw SyntaxError{fmt::format("unexpected `{}`", rest_.substr(0, 20))};
    return node;
  }

 private:
  void skip() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
  }
  bool take(std::string_view text) {
    skip();
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void expect(std::string_view text) {
    if (!take(text))
      throw SyntaxError{fmt::format("`{}` expected {}", text,
                                    rest_.empty() ? "at the end" : fmt::format("before `{}`", rest_.substr(0, 20)))};
  }
  static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
  }
  std::string_view word() {
    skip();
    std::size_t end = 0;
    if (end < rest_.size() && rest_[end] == '%') ++end;
    while (end < rest_.size() && is_word(rest_[end])) ++end;
    const std::string_view taken = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return taken;
  }

  NodePtr choice() {
    if (++depth_ > most_nested) throw SyntaxError{"nested too deeply"};
    NodePtr condition = binary(1);
    if (take("?")) {
      Node node;
      node.kind = Node::Kind::choice;
      node.parts = {condition, choice()};
      expect(":");
      node.parts.push_back(choice());
      condition = std::make_shared<const Node>(std::move(node));
    }
    --depth_;
    return condition;
  }

  const Operator* peek_operator() {
    skip();
    for (const Operator& known : operators)
      if (rest_.starts_with(known.text)) return &known;
    return nullptr;
  }

  NodePtr binary(int strength) {
    NodePtr left = unary();
    for (const Operator* next = peek_operator(); next != nullptr && next->strength >= strength;
         next = peek_operator()) {
      rest_.remove_prefix(next->text.size());
      Node node;
      node.kind = Node::Kind::binary;
      node.text = next->text;
      node.parts = {left, binary(next->strength + 1)};
      left = std::make_shared<const Node>(std::move(node));
    }
    return left;
  }

  NodePtr unary() {
    if (++depth_ > most_nested) throw SyntaxError{"nested too deeply"};
    skip();
    NodePtr made;
    if (!rest_.empty() && (rest_.front() == '-' || rest_.front() == '!' || rest_.front() == '~' ||
                           rest_.front() == '*' || rest_.front() == '+')) {
      Node node;
      node.kind = Node::Kind::unary;
      node.text = rest_.front();
      rest_.remove_prefix(1);
      node.parts = {unary()};
      made = std::make_shared<const Node>(std::move(node));
    } else {
      made = postfix();
    }
    --depth_;
    return made;
  }

  NodePtr postfix() {
    NodePtr node = primary();
    while (true) {
      Node next;
      if (take("[")) {
        next.kind = Node::Kind::index;
        next.parts = {node, choice()};
        expect("]");
      } else if (take("->") || take(".")) {
        next.kind = Node::Kind::member;
        next.parts = {node};
        next.text = word();
        if (next.text.empty()) throw SyntaxError{"the name of a member expected"};
      } else {
        return node;
      }
      node = std::make_shared<const Node>(std::move(next));
    }
  }

  NodePtr cast(ops::DType type, bool pointer, bool reinterprets, NodePtr of) {
    Node node;
    node.kind = pointer ? Node::Kind::pointer_cast : Node::Kind::cast;
    node.type = type;
    node.reinterprets = reinterprets;
    node.parts = {std::move(of)};
    return std::make_shared<const Node>(std::move(node));
  }

  NodePtr primary() {
    skip();
    if (rest_.empty()) throw SyntaxError{"the expression ends too early"};
    if (take("(")) {
      const std::string_view before = rest_;
      if (const auto type = type_named(word())) {
        const bool pointer = take("*");
        if (take(")")) return cast(*type, pointer, false, unary());
      }
      rest_ = before;
      NodePtr inside = choice();
      expect(")");
      return inside;
    }
    if (rest_.front() >= '0' && rest_.front() <= '9') return number();
    const std::string_view name = word();
    if (name.empty() || name == "%") throw SyntaxError{fmt::format("unexpected `{}`", rest_.substr(0, 20))};
    if (const auto type = type_named(name); type && take("(")) {
      NodePtr inside = choice();
      expect(")");
      return cast(*type, false, true, std::move(inside));
    }
    Node node;
    node.kind = Node::Kind::name;
    node.text = name;
    // threadIdx.x and the like are names.
    const bool of_cuda = name == "threadIdx" || name == "blockIdx" || name == "blockDim" || name == "gridDim";
    if (of_cuda && rest_.size() > 1 && rest_.front() == '.' && is_word(rest_[1])) {
      rest_.remove_prefix(1);
      node.text += '.';
      node.text += word();
    }
    return std::make_shared<const Node>(std::move(node));
  }

  NodePtr number() {
    Node node;
    std::int64_t whole = 0;
    const bool hexadecimal = rest_.starts_with("0x") || rest_.starts_with("0X");
    if (hexadecimal) {
      std::uint64_t bits = 0;
      const auto [end, error] = std::from_chars(rest_.data() + 2, rest_.data() + rest_.size(), bits, 16);
      if (error != std::errc()) throw SyntaxError{"not a number"};
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      node.value = Value::of(static_cast<std::int64_t>(bits));
    } else {
      double real = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), real);
      const auto [integer_end, integer_error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), whole);
      if (error != std::errc()) throw SyntaxError{"not a number"};
      const bool is_whole = integer_error == std::errc() && integer_end == end;
      node.value = is_whole ? Value::of(whole) : Value::of_real(real);
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    }
    while (!rest_.empty() && std::string_view("fFuUlL").find(rest_.front()) != std::string_view::npos)
      rest_.remove_prefix(1);
    return std::make_shared<const Node>(std::move(node));
  }

  std::string_view rest_;
  int depth_ = 0;
};

base::Result<Value> evaluate_node(const Node& node, Names& names);

base::Result<Value> apply(std::string_view op, const Value& a, const Value& b) {
  const auto truth = [](bool is) { return Value::of(is ? 1 : 0); };
  if (a.kind == Value::Kind::pointer && b.kind == Value::Kind::integer && (op == "+" || op == "-")) {
    const auto step = static_cast<std::uint64_t>(b.integer) * a.stride;
    Value moved = Value::pointer_to(op == "+" ? a.address + step : a.address - step, a.element, a.space);
    moved.stride = a.stride;
    if (a.source != nullptr && a.source->count == 0) moved.source = a.source;
    return moved;
  }
  if (a.kind == Value::Kind::object || b.kind == Value::Kind::object)
    return base::Error{fmt::format("`{}` needs numbers, not a struct", op)};
  if (a.kind == Value::Kind::real || b.kind == Value::Kind::real) {
    const double x = a.as_real(), y = b.as_real();
    if (op == "+") return Value::of_real(x + y);
    if (op == "-") return Value::of_real(x - y);
    if (op == "*") return Value::of_real(x * y);
    if (op == "/") return Value::of_real(x / y);
    if (op == "<") return truth(x < y);
    if (op == ">") return truth(x > y);
    if (op == "<=") return truth(x <= y);
    if (op == ">=") return truth(x >= y);
    if (op == "==") return truth(x == y);
    if (op == "!=") return truth(x != y);
    return base::Error{fmt::format("`{}` needs whole numbers", op)};
  }
  const std::int64_t x = a.integer, y = b.integer;
  const auto ux = static_cast<std::uint64_t>(x), uy = static_cast<std::uint64_t>(y);
  if (op == "+") return Value::of(static_cast<std::int64_t>(ux + uy));
  if (op == "-") return Value::of(static_cast<std::int64_t>(ux - uy));
  if (op == "*") return Value::of(static_cast<std::int64_t>(ux * uy));
  if (op == "/" || op == "%") {
    if (y == 0) return base::Error{"division by zero"};
    if (y == -1) return Value::of(op == "/" ? static_cast<std::int64_t>(0 - ux) : 0);
    return Value::of(op == "/" ? x / y : x % y);
  }
  if (op == "<<") return Value::of(static_cast<std::int64_t>(uy < 64 ? ux << uy : 0));
  if (op == ">>") return Value::of(uy < 64 ? x >> uy : x < 0 ? -1 : 0);
  if (op == "&") return Value::of(x & y);
  if (op == "|") return Value::of(x | y);
  if (op == "^") return Value::of(x ^ y);
  if (op == "<") return truth(x < y);
  if (op == ">") return truth(x > y);
  if (op == "<=") return truth(x <= y);
  if (op == ">=") return truth(x >= y);
  if (op == "==") return truth(x == y);
  return truth(x != y);
}

base::Result<Value> cast_value(const Node& node, const Value& value) {
  if (node.kind == Node::Kind::pointer_cast) {
    const auto address = value.kind == Value::Kind::pointer ? value.address : static_cast<std::uint64_t>(value.integer);
    return Value::pointer_to(address, node.type,
                             value.kind == Value::Kind::pointer ? value.space : Value::Space::global);
  }
  if (node.reinterprets) return value_of_bits(node.type, static_cast<std::uint64_t>(value.integer));
  if (ops::is_float(node.type)) return value_of_bits(node.type, ops::float_bits(node.type, value.as_real()));
  if (value.kind != Value::Kind::real) return value_of_bits(node.type, static_cast<std::uint64_t>(value.integer));
  if (!(std::abs(value.real) < 9e18)) return base::Error{"the number is too large for a whole number"};
  return value_of_bits(node.type, static_cast<std::uint64_t>(static_cast<std::int64_t>(value.real)));
}

base::Result<Value> evaluate_unary(const Node& node, Names& names) {
  const auto value = evaluate_node(*node.parts[0], names);
  if (!value) return value;
  if (node.text == "*") return names.load(*value, 0);
  if (node.text == "!") return Value::of(value->truth() ? 0 : 1);
  if (node.text == "~") return Value::of(~value->integer);
  if (node.text == "+") return value;
  return value->kind == Value::Kind::real
             ? Value::of_real(-value->real)
             : Value::of(static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value->integer)));
}

base::Result<Value> evaluate_node(const Node& node, Names& names) {
  switch (node.kind) {
    case Node::Kind::value: return node.value;
    case Node::Kind::name: return names.find(node.text);
    case Node::Kind::unary: return evaluate_unary(node, names);
    case Node::Kind::cast:
    case Node::Kind::pointer_cast: {
      const auto value = evaluate_node(*node.parts[0], names);
      return value ? cast_value(node, *value) : value;
    }
    case Node::Kind::choice: {
      const auto condition = evaluate_node(*node.parts[0], names);
      return condition ? evaluate_node(*node.parts[condition->truth() ? 1 : 2], names) : condition;
    }
    case Node::Kind::member: {
      auto object = evaluate_node(*node.parts[0], names);
      if (object && object->kind == Value::Kind::pointer) object = names.load(*object, 0);
      return object ? names.member(*object, node.text) : object;
    }
    case Node::Kind::index:
    case Node::Kind::binary: break;
  }
  const auto left = evaluate_node(*node.parts[0], names);
  if (!left) return left;
  if (node.text == "&&" && !left->truth()) return Value::of(0);
  if (node.text == "||" && left->truth()) return Value::of(1);
  const auto right = evaluate_node(*node.parts[1], names);
  if (!right) return right;
  if (node.text == "&&" || node.text == "||") return Value::of(right->truth() ? 1 : 0);
  if (node.kind == Node::Kind::index) {
    if (right->kind != Value::Kind::integer) return base::Error{"an index is a whole number"};
    return names.load(*left, right->integer);
  }
  return apply(node.text, *left, *right);
}

}  // namespace

base::Result<Expression> Expression::parse(std::string_view text) {
  if (text.size() > most_characters) return base::Error{"the expression is too long"};
  try {
    Expression made;
    made.root_ = ExpressionParser(text).whole();
    return made;
  } catch (const SyntaxError& error) {
    return base::Error{error.line};
  }
}

base::Result<Value> Expression::evaluate(Names& names) const { return evaluate_node(*root_, names); }

base::Result<Expression::Place> Expression::place(Names& names) const {
  const bool index = root_->kind == Node::Kind::index;
  const bool dereference = root_->kind == Node::Kind::unary && root_->text == "*";
  auto pointer = evaluate_node(index || dereference ? *root_->parts[0] : *root_, names);
  if (!pointer) return base::Error{pointer.error()};
  if (!index && !dereference && pointer->in_memory) {
    Value at = Value::pointer_to(pointer->address, pointer->element, pointer->space);
    at.stride = pointer->kind == Value::Kind::object ? pointer->stride : std::max<std::uint32_t>(1, pointer->bytes);
    return Place{at, 0};
  }
  Place place{*pointer, index || dereference ? 0 : -1};
  if (!index) return place;
  const auto number = evaluate_node(*root_->parts[1], names);
  if (!number) return base::Error{number.error()};
  if (number->kind != Value::Kind::integer || number->integer < 0) return base::Error{"an index is a whole number"};
  place.index = number->integer;
  return place;
}

std::string_view Expression::name() const {
  return root_->kind == Node::Kind::name ? std::string_view(root_->text) : std::string_view();
}

}  // namespace warpwalk::debug
