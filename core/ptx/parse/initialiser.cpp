#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "core/ptx/parse/declaration.h"
#include "core/ptx/parse/expression.h"

namespace warpwalk::ptx {
namespace {

class InitialiserParser {
 public:
  InitialiserParser(State& state, Variable& variable, std::vector<std::uint64_t>& extents, const Scopes* locals)
      : state_(state), in_(state.in), variable_(variable), extents_(extents), locals_(locals) {
    bytes_ = static_cast<std::uint64_t>(bytes_of(variable.type));
    // Number of elements in one row of each dimension.
    rows_.assign(extents.size() + 1, 1);
    for (std::size_t i = extents.size(); i > 0; --i) rows_[i - 1] = rows_[i] * extents[i - 1];
  }

  void parse() {
    if (extents_.empty()) {
      // The value of a scalar may be in braces.
      const bool braces = in_.accept("{");
      element(0);
      if (braces) in_.expect("}", "after the value of a variable");
    } else {
      const std::uint64_t count = list(0, 0);
      if (extents_[0] == 0) extents_[0] = count;
    }
  }

 private:
  /// Parses one list in braces at nesting level `dimension` whose first element has index `first`. Returns its number
  /// of rows.
  std::uint64_t list(std::size_t dimension, std::uint64_t first) {
    in_.expect("{", "before the values of an array");
    std::uint64_t count = 0;
    if (in_.accept("}")) return count;
    const bool open_ended = dimension == 0 && extents_[0] == 0;
    // Elements may be written as a flat list, without inner braces.
    bool flat = false;
    do {
      const Token at = in_.peek();
      if (at.is("}")) break;  // trailing comma
      if (dimension + 1 < extents_.size() && !at.is("{")) flat = true;
      const std::uint64_t row = flat ? 1 : rows_[dimension + 1];
      const std::uint64_t limit = flat ? rows_[dimension] : extents_[dimension];
      if (!open_ended && count >= limit) fail(at, fmt::format("too many values; at most {} fit here", limit));
      if (flat || dimension + 1 == extents_.size())
        element(first + count * row);
      else
        list(dimension + 1, first + count * row);
      ++count;
    } while (in_.accept(","));
    in_.expect("}", "after the values of an array");
    return flat && open_ended ? (count + rows_[1] - 1) / std::max<std::uint64_t>(rows_[1], 1) : count;
  }

  void element(std::uint64_t number) {
    const std::uint64_t offset = number * bytes_;
    const Token at = in_.peek();
    if (at.is("generic") || (at.kind == TokenKind::word && !in_.peek_second().is("("))) {
      write(at, offset, 0);
      address(offset, static_cast<std::uint8_t>(bytes_), 0);
    } else if (at.kind == TokenKind::number && in_.peek_second().is("(")) {
      masked(offset);
    } else {
      value(at, offset);
    }
  }

  void value(const Token& at, std::uint64_t offset) {
    const Constant constant = parse_constant(in_);
    const Type type = variable_.type;
    std::uint64_t bits = constant.bits;
    if (type == Type::f32 && constant.literal == Literal::f64)
      bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
    else if (type == Type::f64 && constant.literal == Literal::f32)
      bits = std::bit_cast<std::uint64_t>(
          static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(constant.bits))));
    else if (constant.literal != Literal::integer && !is_bits(type) && type != Type::f32 && type != Type::f64)
      fail(at, fmt::format("a variable of type .{} cannot have a floating-point value", name_of(type)));
    else if (constant.literal == Literal::integer && type == Type::f32)
      bits = std::bit_cast<std::uint32_t>(static_cast<float>(constant.as_signed()));
    else if (constant.literal == Literal::integer && type == Type::f64)
      bits = std::bit_cast<std::uint64_t>(static_cast<double>(constant.as_signed()));
    write(at, offset, bits);
  }

  /// 0xFF00(name): one byte of an address.
  void masked(std::uint64_t offset) {
    const Token mask = in_.next();
    const auto value = read_number(mask.text);
    int byte = 0;
    while (byte < 8 && (!value || value->bits != std::uint64_t{0xff} << (8 * byte))) ++byte;
    if (byte == 8 || bytes_ != 1) fail(mask, "expected a one-byte mask, as in 0xFF00(name), in a byte array");
    in_.next();
    write(mask, offset, 0);
    address(offset, 1, static_cast<std::uint8_t>(byte));
    in_.expect(")", "after the name in a mask");
  }

  /// name, name+8, generic(name)-4.
  void address(std::uint64_t offset, std::uint8_t bytes, std::uint8_t byte) {
    Relocation relocation;
    relocation.offset = offset;
    relocation.bytes = bytes;
    relocation.byte = byte;
    relocation.generic = in_.at("generic") && in_.peek_second().is("(");
    if (relocation.generic) {
      in_.next();
      in_.next();
    }
    const Token name = parse_name(in_, "the name of a variable or function");
    if (bytes != 1 && bytes != 4 && bytes != 8) fail(name, "an address needs 4 or 8 bytes");
    auto symbol = locals_ == nullptr ? std::nullopt : locals_->find(name.text);
    if (!symbol) symbol = state_.names.find(name.text);
    if (!symbol || (symbol->kind != OperandKind::variable && symbol->kind != OperandKind::function))
      fail(name, "no variable or function with this name has been declared");
    relocation.function = symbol->kind == OperandKind::function;
    relocation.index = symbol->index;
    if (in_.at("+") || in_.at("-")) relocation.addend = parse_constant(in_).as_signed();
    if (relocation.generic) {
      in_.expect(")", "after generic(name");
      if (in_.at("+") || in_.at("-"))
        relocation.addend =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(relocation.addend) + parse_constant(in_).bits);
    }
    variable_.relocations.push_back(relocation);
  }

  void write(const Token& at, std::uint64_t offset, std::uint64_t bits) {
    std::vector<std::uint8_t>& initial = variable_.initial;
    const std::uint64_t end = offset + bytes_;
    if (end > initial.size()) {
      state_.initial_bytes += end - initial.size();
      if (state_.initial_bytes > state_.limits.initial_bytes)
        fail(at, fmt::format("the initial values take more than {} bytes", state_.limits.initial_bytes));
      initial.resize(end);
    }
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(bytes_, 8); ++i)
      initial[offset + i] = static_cast<std::uint8_t>(bits >> (8 * i));
  }

  State& state_;
  Lexer& in_;
  Variable& variable_;
  std::vector<std::uint64_t>& extents_;
  const Scopes* locals_;
  std::vector<std::uint64_t> rows_;
  std::uint64_t bytes_ = 1;
};

}  // namespace

void parse_initialiser(State& state, Variable& variable, std::vector<std::uint64_t>& extents, const Scopes* locals) {
  InitialiserParser(state, variable, extents, locals).parse();
}

}  // namespace warpwalk::ptx
