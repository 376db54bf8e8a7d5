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

Operand register_operand(std::int32_t index) {
  Operand operand;
  operand.kind = OperandKind::reg;
  operand.index = index;
  return operand;
}

/// "b0", "h10", "b7654": the parts of a register that a video instruction takes.
Selector parse_selector(const Token& name, std::string_view text) {
  Selector selector;
  selector.halves = text.starts_with('h');
  const bool valid = text.size() >= 2 && text.size() <= 5 && (selector.halves || text.starts_with('b')) &&
                     text.find_first_not_of("01234567", 1) == std::string_view::npos;
  if (!valid)
    fail(name, "only a vector register has elements such as .x, and only video instructions take .b0 or .h10");
  for (; selector.count + 1u < text.size(); ++selector.count)
    selector.parts[selector.count] = static_cast<std::uint8_t>(text[text.size() - 1 - selector.count] - '0');
  return selector;
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
  if (in_.accept("{")) return elements("}", false);
  Operand first = simple();
  if (first.kind == OperandKind::reg && in_.at("+")) {
    const Token at = in_.peek();
    const Constant constant = parse_constant(in_);
    if (constant.literal != Literal::integer || first.negated || first.minus || first.selector.count != 0)
      fail(at, "only an integer can be added to a register here");
    first.offset = constant.as_signed();
  }
  if (!in_.at("|")) return first;
  in_.next();
  Operand pair;
  pair.kind = OperandKind::pair;
  if (first.kind == OperandKind::vector) fail(in_.peek(), "a vector register cannot be one of a pair");
  pair.elements.push_back(std::move(first));
  pair.elements.push_back(scalar());
  return pair;
}

Operand OperandParser::list() {
  in_.expect("(", "before the arguments of a call");
  return elements(")", true);
}

/// `vectors`: an element may be a vector register, which a call passes as one argument.
Operand OperandParser::elements(std::string_view closing, bool vectors) {
  Operand vector;
  vector.kind = OperandKind::vector;
  if (in_.accept(closing)) return vector;
  do {
    if (vector.elements.size() == max_elements) fail(in_.peek(), "too many elements");
    vector.elements.push_back(vectors ? simple() : scalar());
  } while (in_.accept(","));
  in_.expect(closing, "after a list of operands");
  return vector;
}

/// Parses an element of a vector, which is not a vector itself.
Operand OperandParser::scalar() {
  const Token at = in_.peek();
  Operand operand = simple();
  if (operand.kind == OperandKind::vector) fail(at, "expected a register with one value, not a vector register");
  return operand;
}

/// Parses a register, name, number, !p, -a or _.
Operand OperandParser::simple() {
  const bool not_a_number = in_.peek_second().kind == TokenKind::word && !in_.peek_second().is("WARP_SZ");
  if ((in_.at("!") || in_.at("-")) && not_a_number) {
    const bool minus = in_.next().is("-");
    Operand negated = named();
    if (negated.kind != OperandKind::reg) fail(in_.peek(), "`!` and `-` can only negate a register");
    (minus ? negated.minus : negated.negated) = true;
    return negated;
  }
  if (begins_constant(in_.peek())) return immediate(parse_constant(in_));
  return named();
}

Operand OperandParser::named() {
  const Token name = in_.expect(TokenKind::word, "an operand");
  Operand operand;
  if (name.text == "_") {
    operand.kind = OperandKind::discard;
  } else if (const auto known = find(name.text)) {
    return operand_of(*known);
  } else if (const Special special = find_special(name.text); special != Special::none) {
    operand.kind = OperandKind::special;
    operand.special = special;
  } else if (find_special(std::string(name.text) + ".x") != Special::none) {
    return special_vector(name.text);
  } else if (auto element = part(name)) {
    return *std::move(element);
  } else {
    fail(name, name.text.starts_with('%') ? "this register is not declared here" : "this name is not declared here");
  }
  return operand;
}

Operand OperandParser::operand_of(const Symbol& symbol) {
  Operand operand;
  operand.kind = symbol.kind;
  operand.index = symbol.index;
  operand.returns = symbol.returns;
  if (symbol.elements > 1) {
    operand.kind = OperandKind::vector;
    for (std::int32_t i = 0; i < symbol.elements; ++i) operand.elements.push_back(register_operand(symbol.index + i));
  }
  if (has_offset(symbol.kind) && (in_.at("+") || in_.at("-"))) operand.offset = offset();
  return operand;
}

/// %tid is {%tid.x, %tid.y, %tid.z, 0}; only mov.v4 reads it.
Operand OperandParser::special_vector(std::string_view name) {
  Operand vector;
  vector.kind = OperandKind::vector;
  for (const std::string_view letter : {".x", ".y", ".z"}) {
    Operand& element = vector.elements.emplace_back();
    element.kind = OperandKind::special;
    element.special = find_special(std::string(name).append(letter));
  }
  vector.elements.emplace_back().kind = OperandKind::immediate;
  return vector;
}

/// An element of a vector register (PTX ISA, "Vectors as Operands"): %v.x or %v.r, or a part of a register: %r1.b0.
std::optional<Operand> OperandParser::part(const Token& name) const {
  const std::size_t dot = name.text.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto whole = find(name.text.substr(0, dot));
  if (!whole || whole->kind != OperandKind::reg) return std::nullopt;
  const std::string_view text = name.text.substr(dot + 1);
  Operand operand = register_operand(whole->index);
  if (whole->elements == 1) {
    operand.selector = parse_selector(name, text);
    return operand;
  }
  for (const std::string_view letters : {"xyzw", "rgba"})
    if (const std::size_t at = letters.find(text); text.size() == 1 && at < whole->elements) {
      operand.index += static_cast<std::int32_t>(at);
      return operand;
    }
  fail(name, fmt::format("the elements of this vector are .x and .y{}, or .r and .g{}",
                         whole->elements > 2 ? ", .z, .w" : "", whole->elements > 2 ? ", .b, .a" : ""));
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
    if (base.selector.count != 0) fail(at, "an address cannot be a part of a register");
    if (base.kind == OperandKind::reg && (in_.at("+") || in_.at("-"))) base.offset = offset();
  }
  base.address = true;
  if (in_.accept(",")) return texel(std::move(base));
  in_.expect("]", "after an address");
  return base;
}

/// Parses the rest of "[texture, {x, y}]".
Operand OperandParser::texel(Operand object) {
  Operand place;
  const Token at = in_.peek();
  if (in_.accept("{"))
    place = elements("}", false);
  else if (at.kind == TokenKind::word)
    place = named();
  if (place.kind != OperandKind::vector)
    fail(at, "expected coordinates in braces or a vector register; samplers apart from textures are not supported");
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
