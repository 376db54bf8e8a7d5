#include "core/ptx/parse/operand_parser.h"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/ptx/parse/expression.h"

namespace warpwalk::ptx {
namespace {

/// Larger than any valid vector or argument list.
constexpr std::size_t max_elements = 4096;

Operand immediate(const Constant& constant) {
  Operand operand;
  operand.kind = OperandKind::immediate;
  operand.literal = constant.literal;
  operand.bits = constant.bits;
  return operand;
}

bool has_offset(OperandKind kind) {
  return kind == OperandKind::variable || kind == OperandKind::local_variable || kind == OperandKind::parameter;
}

}  // namespace

std::optional<Symbol> OperandParser::find(std::string_view name) const {
  if (const auto symbol = scopes_.find(name)) return symbol;
  return module_names_.find(name);
}

Operand OperandParser::operand() {
  if (in_.at("[")) return address();
  if (in_.accept("{")) return elements("}");
  Operand first = simple();
  if (!in_.at("|")) return first;
  in_.next();
  Operand pair;
  pair.kind = OperandKind::pair;
  pair.elements.push_back(std::move(first));
  pair.elements.push_back(simple());
  return pair;
}

Operand OperandParser::list() {
  in_.expect("(", "before the arguments of a call");
  return elements(")");
}

Operand OperandParser::elements(std::string_view closing) {
  Operand vector;
  vector.kind = OperandKind::vector;
  if (in_.accept(closing)) return vector;
  do {
    if (vector.elements.size() == max_elements) fail(in_.peek(), "too many elements");
    vector.elements.push_back(simple());
  } while (in_.accept(","));
  in_.expect(closing, "after a list of operands");
  return vector;
}

/// Parses an element of a vector: a register, name, number, !p or _.
Operand OperandParser::simple() {
  if (in_.at("!") && in_.peek_second().kind == TokenKind::word) {
    in_.next();
    Operand predicate = named();
    if (predicate.kind != OperandKind::reg) fail(in_.peek(), "`!` can only negate a predicate register");
    predicate.negated = true;
    return predicate;
  }
  if (begins_constant(in_.peek())) return immediate(parse_constant(in_));
  return named();
}

Operand OperandParser::named() {
  const Token name = in_.expect(TokenKind::word, "an operand");
  Operand operand;
  if (name.text == "_") {
    operand.kind = OperandKind::discard;
  } else if (const auto symbol = find(name.text)) {
    operand.kind = symbol->kind;
    operand.index = symbol->index;
    operand.returns = symbol->returns;
    if (has_offset(symbol->kind) && (in_.at("+") || in_.at("-"))) operand.offset = offset();
  } else if (const Special special = find_special(name.text); special != Special::none) {
    operand.kind = OperandKind::special;
    operand.special = special;
  } else {
    fail(name, name.text.starts_with('%') ? "this register is not declared here" : "this name is not declared here");
  }
  return operand;
}

Operand OperandParser::address() {
  in_.next();
  Operand base;
  const Token at = in_.peek();
  if (begins_constant(at)) {
    base = immediate(parse_constant(in_));
    if (base.literal != Literal::integer) fail(at, "an address must be an integer");
  } else {
    base = named();
    if (base.kind != OperandKind::reg && !has_offset(base.kind))
      fail(at, "an address must begin with a register, a variable or a number");
    if (base.kind == OperandKind::reg && (in_.at("+") || in_.at("-"))) base.offset = offset();
  }
  base.address = true;
  if (in_.accept(",")) return texel(std::move(base));
  in_.expect("]", "after an address");
  return base;
}

/// Parses the rest of "[texture, {x, y}]".
Operand OperandParser::texel(Operand object) {
  if (!in_.at("{")) fail(in_.peek(), "expected coordinates in braces; samplers apart from textures are not supported");
  in_.next();
  Operand place = elements("}");
  object.address = false;
  place.kind = OperandKind::texel;
  place.elements.insert(place.elements.begin(), std::move(object));
  in_.expect("]", "after the coordinates");
  return place;
}

/// Parses "+8", "-4", "+-4": a 32-bit offset.
std::int64_t OperandParser::offset() {
  const Token at = in_.peek();
  const Constant constant = parse_constant(in_);
  const std::int64_t value = constant.as_signed();
  if (constant.literal != Literal::integer || value < std::numeric_limits<std::int32_t>::min() ||
      value > std::numeric_limits<std::uint32_t>::max())
    fail(at, "an offset must be a 32-bit integer");
  return value;
}

}  // namespace warpwalk::ptx
