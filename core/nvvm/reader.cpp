#include "core/nvvm/reader.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

namespace warpwalk::nvvm {

using Kind = Type::Kind;

Token Reader::next() {
  Token token = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool Reader::is_sign(char sign, std::size_t ahead) const {
  const Token& token = peek(ahead);
  return token.kind == Token::Kind::sign && token.text.front() == sign;
}

bool Reader::is_word(std::string_view word, std::size_t ahead) const {
  const Token& token = peek(ahead);
  return token.kind == Token::Kind::word && token.text == word;
}

bool Reader::take(char sign) {
  const bool here = is_sign(sign);
  if (here) next();
  return here;
}

bool Reader::take(std::string_view word) {
  const bool here = is_word(word);
  if (here) next();
  return here;
}

void Reader::expect(char sign) {
  if (!take(sign)) fail(fmt::format("expected `{}`", sign));
}

void Reader::fail(std::string_view what) {
  if (problem_.empty()) problem_ = fmt::format("line {} of the LLVM IR: {} at `{}`", peek().line, what, peek().text);
}

void Reader::skip_line() {
  while (peek().kind != Token::Kind::line_end && !at_end()) next();
  if (!at_end()) next();
}

void Reader::skip_line_ends() {
  while (peek().kind == Token::Kind::line_end) next();
}

void Reader::skip_parentheses() {
  if (!is_sign('(')) return;
  int depth = 0;
  do {
    if (is_sign('(')) ++depth;
    if (is_sign(')')) --depth;
    next();
  } while (depth > 0 && !at_end());
}

bool Reader::begins_type() const {
  const Token& token = peek();
  if (token.kind == Token::Kind::sign) return token.text == "[" || token.text == "{" || token.text == "<";
  if (token.kind == Token::Kind::local) return true;
  if (token.kind != Token::Kind::word) return false;
  const std::string& word = token.text;
  const bool integer = word.size() > 1 && word.front() == 'i' &&
                       std::ranges::all_of(word.substr(1), [](char c) { return c >= '0' && c <= '9'; });
  return integer || word == "ptr" || word == "float" || word == "double" || word == "half" || word == "bfloat" ||
         word == "void" || word == "metadata" || word == "label";
}

TypePtr Reader::type() {
  auto made = std::make_shared<Type>();
  if (peek().kind == Token::Kind::local) {
    const std::string name = next().text;
    const auto known = named_.find(name);
    if (known == named_.end()) fail(fmt::format("the type %{} is not known", name));
    return known == named_.end() ? made : known->second;
  }
  const bool packed = is_sign('<') && is_sign('{', 1);
  if (take('[') || (!packed && take('<'))) {
    const bool vector = tokens_[at_ - 1].text == "<";
    made->kind = vector ? Kind::vector : Kind::array;
    made->count = whole();
    if (!take("x")) fail("expected x");
    made->elements.push_back(type());
    expect(vector ? '>' : ']');
    return made;
  }
  if (packed || is_sign('{')) {
    if (packed) next();
    next();
    made->kind = Kind::structure;
    made->packed = packed;
    while (!failed() && !is_sign('}')) {
      made->elements.push_back(type());
      if (!take(',')) break;
    }
    expect('}');
    if (packed) expect('>');
    return made;
  }
  const std::string word = peek().kind == Token::Kind::word ? next().text : std::string();
  if (word == "ptr") {
    made->kind = Kind::pointer;
    if (take("addrspace")) {
      expect('(');
      made->space = static_cast<unsigned>(whole());
      expect(')');
    }
  } else if (word == "float") {
    made->kind = Kind::f32;
  } else if (word == "double") {
    made->kind = Kind::f64;
  } else if (word == "half") {
    made->kind = Kind::f16;
  } else if (word == "bfloat") {
    made->kind = Kind::bf16;
  } else if (word.size() > 1 && word.front() == 'i') {
    made->kind = Kind::integer;
    made->bits = static_cast<unsigned>(std::strtoul(word.c_str() + 1, nullptr, 10));
    constexpr unsigned widest = 64;
    if (made->bits == 0 || made->bits > widest) fail(fmt::format("integers of the type {} are not supported", word));
  } else if (word == "metadata" || word == "label") {
    made->kind = Kind::other;
  } else if (word != "void") {
    fail("expected a type");
  }
  return made;
}

std::uint64_t Reader::whole() {
  const std::string text = next().text;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) fail("expected a whole number before this");
  return number;
}

void Reader::skip_attributes() {
  while (peek().kind == Token::Kind::word && !begins_type()) {
    static constexpr std::string_view values[] = {
        "true",          "false", "null", "undef",   "poison",   "zeroinitializer", "getelementptr",
        "addrspacecast", "asm",   "c",    "bitcast", "inttoptr", "ptrtoint"};
    const std::string& word = peek().text;
    if (std::ranges::find(values, word) != std::end(values)) return;
    if (word.front() == '-' || (word.front() >= '0' && word.front() <= '9')) return;
    const bool aligned = word == "align";
    next();
    if (aligned && peek().kind == Token::Kind::word) next();
    skip_parentheses();
  }
}

Operand Reader::typed_value() {
  const TypePtr of = type();
  skip_attributes();
  return value(of);
}

namespace {

std::uint64_t bits_of_number(const std::string& text, const Type& type, bool& good) {
  good = true;
  char* end = nullptr;
  if (!type.is_float()) {
    const std::uint64_t number = text.front() == '-' ? static_cast<std::uint64_t>(std::strtoll(text.c_str(), &end, 10))
                                                     : std::strtoull(text.c_str(), &end, 10);
    good = *end == '\0';
    constexpr unsigned word = 64;
    return type.bits < word && type.kind == Kind::integer ? number & ((std::uint64_t{1} << type.bits) - 1) : number;
  }
  if (text.starts_with("0xH") || text.starts_with("0xR")) return std::strtoull(text.c_str() + 3, &end, 16);
  // Decimal numbers and 0x... are those of a double, also for a float.
  const double number = text.starts_with("0x")
                            ? std::bit_cast<double>(std::uint64_t{std::strtoull(text.c_str(), &end, 16)})
                            : std::strtod(text.c_str(), &end);
  good = *end == '\0' && (type.kind == Kind::f32 || type.kind == Kind::f64);
  return type.kind == Kind::f32 ? std::bit_cast<std::uint32_t>(static_cast<float>(number))
                                : std::bit_cast<std::uint64_t>(number);
}

}  // namespace

Operand Reader::value(const TypePtr& of) {
  Operand operand;
  operand.type = of;
  const Token token = next();
  switch (token.kind) {
    case Token::Kind::local:
      operand.kind = Operand::Kind::local;
      operand.name = token.text;
      return operand;
    case Token::Kind::global:
      operand.kind = Operand::Kind::global;
      operand.name = token.text;
      return operand;
    case Token::Kind::metadata: skip_parentheses(); return operand;
    case Token::Kind::sign:
      if (token.text == "[" || token.text == "{" || token.text == "<") {
        operand.kind = Operand::Kind::list;
        const bool packed = token.text == "<" && take('{');
        while (!failed() && !is_sign(']') && !is_sign('}') && !is_sign('>')) {
          operand.parts.push_back(typed_value());
          if (!take(',')) break;
        }
        next();
        if (packed) expect('>');
        return operand;
      }
      break;
    case Token::Kind::word: {
      const std::string& word = token.text;
      if (word == "undef" || word == "poison") return operand;
      operand.kind = Operand::Kind::number;
      if (word == "true" || word == "false") {
        operand.bits = word == "true";
        return operand;
      }
      if (word == "null") return operand;
      if (word == "zeroinitializer") {
        operand.kind = Operand::Kind::zero;
        return operand;
      }
      if (word == "c" && peek().kind == Token::Kind::text) {
        operand.kind = Operand::Kind::list;
        for (const char c : next().text) {
          Operand& byte = operand.parts.emplace_back();
          byte.kind = Operand::Kind::number;
          byte.type = of->elements.empty() ? of : of->elements.front();
          byte.bits = static_cast<unsigned char>(c);
        }
        return operand;
      }
      if (word == "getelementptr" || word == "addrspacecast" || word == "bitcast" || word == "inttoptr" ||
          word == "ptrtoint")
        return expression(word, of);
      bool good = false;
      if (word.front() == '-' || (word.front() >= '0' && word.front() <= '9'))
        operand.bits = bits_of_number(word, *of, good);
      if (!good) fail(fmt::format("`{}` is not a value that is understood", word));
      return operand;
    }
    default: break;
  }
  fail("expected a value");
  return operand;
}

std::optional<std::int64_t> constant_offset(const TypePtr& element, const std::vector<Operand>& indices) {
  std::int64_t offset = 0;
  TypePtr at = element;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i].kind != Operand::Kind::number) return {};
    std::int64_t index = static_cast<std::int64_t>(indices[i].bits);
    if (indices[i].type->bits == 32) index = static_cast<std::int32_t>(index);
    if (i == 0) {
      offset += index * static_cast<std::int64_t>(size_of(*at));
      continue;
    }
    offset += static_cast<std::int64_t>(offset_of(*at, static_cast<std::uint64_t>(index)));
    at = at->kind == Kind::structure ? at->elements.at(static_cast<std::size_t>(index)) : at->elements.front();
  }
  return offset;
}

Operand Reader::expression(std::string_view opcode, const TypePtr& of) {
  Operand operand;
  operand.type = of;
  while (peek().kind == Token::Kind::word) next();  // inbounds, nuw
  expect('(');
  if (opcode != "getelementptr") {
    operand.kind = Operand::Kind::cast;
    operand.parts.push_back(typed_value());
    if (!take("to")) fail("expected to");
    type();
  } else {
    operand.kind = Operand::Kind::address;
    const TypePtr element = type();
    std::vector<Operand> values;
    while (!failed() && take(',')) values.push_back(typed_value());
    if (values.empty()) fail("expected an address");
    if (!failed()) {
      operand.parts.push_back(values.front());
      const auto offset = constant_offset(element, {values.begin() + 1, values.end()});
      if (!offset) fail("the index of a constant address is not a number");
      operand.offset = offset.value_or(0);
    }
  }
  expect(')');
  return operand;
}

}  // namespace warpwalk::nvvm
