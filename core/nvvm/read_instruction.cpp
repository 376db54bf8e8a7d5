#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/nvvm/reader.h"

namespace warpwalk::nvvm {
namespace {

constexpr std::array<std::string_view, 12> casts = {"trunc",  "zext",   "sext",   "fptrunc",  "fpext",    "fptoui",
                                                    "fptosi", "uitofp", "sitofp", "ptrtoint", "inttoptr", "bitcast"};

bool is_cast(std::string_view opcode) {
  return opcode == "addrspacecast" || std::ranges::find(casts, opcode) != casts.end();
}

}  // namespace

// Flags such as nuw and contract, and attributes of a result.
void Reader::words_before_type(Instruction& one) {
  while (peek().kind == Token::Kind::word && !begins_type()) {
    one.contract |= is_word("contract") || is_word("fast");
    one.is_volatile |= is_word("volatile");
    const bool aligned = is_word("align");
    next();
    if (aligned) next();
    skip_parentheses();
  }
}

void Reader::call(Instruction& one) {
  one.opcode = "call";
  words_before_type(one);
  one.type = type();
  skip_attributes();
  if (take("asm")) {
    one.assembly = true;
    while (peek().kind == Token::Kind::word) next();  // sideeffect
    one.words = next().text;
    expect(',');
    one.constraints = next().text;
  } else if (peek().kind == Token::Kind::global) {
    one.words = next().text;
  } else {
    return fail("a call through an address is not supported");
  }
  expect('(');
  while (!failed() && !is_sign(')')) {
    one.operands.push_back(typed_value());
    if (!take(',')) break;
  }
  expect(')');
}

void Reader::memory(Instruction& one) {
  words_before_type(one);
  if (one.opcode == "alloca") {
    one.element = type();
    one.type = made_type(Type::Kind::pointer);
    if (take(',') && begins_type()) {
      const Operand count = typed_value();
      if (count.kind != Operand::Kind::number) fail("an array of a size that is known only at run time");
      auto array = made_type(Type::Kind::array);
      array->count = count.bits;
      array->elements.push_back(one.element);
      one.element = array;
    }
  } else if (one.opcode == "load") {
    one.type = type();
    expect(',');
    one.operands.push_back(typed_value());
  } else if (one.opcode == "store") {
    one.operands.push_back(typed_value());
    expect(',');
    one.operands.push_back(typed_value());
  } else if (one.opcode == "atomicrmw") {
    // The operation stands before the type, and was passed over as a word.
    one.words = tokens_[at_ - 1].text;
    one.operands.push_back(typed_value());
    expect(',');
    one.operands.push_back(typed_value());
    one.type = one.operands.back().type;
  } else if (one.opcode == "cmpxchg") {
    for (int i = 0; i < 3; ++i) {
      if (i > 0) expect(',');
      one.operands.push_back(typed_value());
    }
    auto both = made_type(Type::Kind::structure);
    both->elements = {one.operands.back().type, made_type(Type::Kind::integer, 1)};
    one.type = both;
  }
  while (peek().kind == Token::Kind::word || is_sign(',')) {
    const bool aligned = take("align");
    if (aligned)
      one.alignment = whole();
    else
      next();
    skip_parentheses();
    if (peek().kind == Token::Kind::metadata || is_sign('!')) break;
  }
}

void Reader::address(Instruction& one) {
  words_before_type(one);
  one.element = type();
  while (!failed() && is_sign(',') && peek(1).kind != Token::Kind::metadata) {
    next();
    one.operands.push_back(typed_value());
  }
  if (one.operands.empty()) return fail("expected an address");
  one.type = one.operands.front().type;
}

void Reader::branch(Instruction& one) {
  const auto label = [&] {
    if (!take("label")) fail("expected a label");
    one.labels.push_back(next().text);
  };
  if (one.opcode == "br" && is_word("label")) return label();
  one.operands.push_back(typed_value());
  expect(',');
  label();
  if (one.opcode == "br") {
    expect(',');
    return label();
  }
  expect('[');
  skip_line_ends();
  while (!failed() && !is_sign(']')) {
    one.cases.push_back(typed_value().bits);
    expect(',');
    label();
    skip_line_ends();
  }
  expect(']');
}

void Reader::arithmetic(Instruction& one) {
  const std::string& opcode = one.opcode;
  if (opcode == "icmp" || opcode == "fcmp") {
    words_before_type(one);
    one.words = tokens_[at_ - 1].text;  // the predicate is the last word before the type
    one.operands.push_back(typed_value());
    expect(',');
    one.operands.push_back(value(one.operands.front().type));
    one.type = made_type(Type::Kind::integer, 1);
    return;
  }
  words_before_type(one);
  if (opcode == "phi") {
    one.type = type();
    do {
      expect('[');
      one.operands.push_back(value(one.type));
      expect(',');
      one.labels.push_back(next().text);
      expect(']');
    } while (!failed() && is_sign(',') && is_sign('[', 1) && take(','));
    return;
  }
  one.operands.push_back(typed_value());
  one.type = one.operands.front().type;
  if (is_cast(opcode)) {
    if (!take("to")) fail("expected to");
    one.type = type();
  } else if (opcode == "fneg" || opcode == "freeze") {
    // one operand
  } else if (opcode == "select" || opcode == "insertelement" || opcode == "extractelement" ||
             opcode == "shufflevector") {
    while (!failed() && is_sign(',') && peek(1).kind != Token::Kind::metadata) {
      next();
      one.operands.push_back(typed_value());
    }
    if (one.operands.size() < 2) return fail("expected another operand");
    if (opcode == "select") one.type = one.operands[1].type;
    if (opcode == "extractelement") one.type = one.type->elements.empty() ? one.type : one.type->elements.front();
    if (opcode == "shufflevector") {
      auto vector = std::make_shared<Type>(*one.type);
      vector->count = one.operands.size() > 2 ? one.operands[2].type->count : 0;
      one.type = vector;
    }
  } else if (opcode == "extractvalue" || opcode == "insertvalue") {
    if (opcode == "insertvalue") {
      expect(',');
      one.operands.push_back(typed_value());
    }
    while (!failed() && is_sign(',') && peek(1).kind == Token::Kind::word) {
      next();
      one.indices.push_back(whole());
    }
    if (opcode == "extractvalue")
      for (const std::uint64_t index : one.indices) {
        const bool structure = one.type->kind == Type::Kind::structure;
        if (one.type->elements.empty() || (structure && index >= one.type->elements.size())) return fail("no element");
        one.type = one.type->elements[structure ? index : 0];
      }
  } else {
    expect(',');
    one.operands.push_back(value(one.operands.front().type));
  }
}

// Reads the metadata after an instruction: its place in the source; the rest is ignored.
void Reader::ending(Instruction& one) {
  while (peek().kind != Token::Kind::line_end && !at_end()) {
    if (peek().kind == Token::Kind::metadata && peek().text == "dbg" && peek(1).kind == Token::Kind::metadata) {
      next();
      one.debug = static_cast<std::uint32_t>(std::strtoul(peek().text.c_str(), nullptr, 10));
    }
    next();
  }
}

Instruction Reader::instruction() {
  Instruction one;
  one.type = std::make_shared<Type>();
  if (peek().kind == Token::Kind::local && is_sign('=', 1)) {
    one.result = next().text;
    next();
  }
  one.opcode = next().text;
  static constexpr std::array<std::string_view, 30> others = {
      "add",           "sub",    "mul",    "udiv",         "sdiv",        "urem",          "srem",
      "shl",           "lshr",   "ashr",   "and",          "or",          "xor",           "fadd",
      "fsub",          "fmul",   "fdiv",   "frem",         "fneg",        "icmp",          "fcmp",
      "phi",           "select", "freeze", "extractvalue", "insertvalue", "insertelement", "extractelement",
      "shufflevector", "fence"};
  const std::string& opcode = one.opcode;
  if (opcode == "tail" || opcode == "call" || opcode == "musttail" || opcode == "notail")
    (opcode == "call" || take("call")) ? call(one) : fail("expected call");
  else if (opcode == "load" || opcode == "store" || opcode == "alloca" || opcode == "atomicrmw" || opcode == "cmpxchg")
    memory(one);
  else if (opcode == "getelementptr")
    address(one);
  else if (opcode == "br" || opcode == "switch")
    branch(one);
  else if (opcode == "ret")
    is_word("void") ? void(next()) : one.operands.push_back(typed_value());
  else if (opcode == "fence" || opcode == "unreachable")
    ;  // no operands that matter
  else if (is_cast(opcode) || std::ranges::find(others, opcode) != others.end())
    arithmetic(one);
  else
    fail(fmt::format("the instruction {} is not supported", opcode));
  ending(one);
  return one;
}

}  // namespace warpwalk::nvvm
