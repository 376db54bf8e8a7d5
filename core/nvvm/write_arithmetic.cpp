#include <algorithm>
#include <map>

#include "core/nvvm/function_writer.h"
#include "core/nvvm/reader.h"

namespace warpwalk::nvvm {

using Kind = Type::Kind;

namespace {

std::string float_type(const Type& type) {
  return type.kind == Kind::f64 ? ".f64" : type.kind == Kind::f16 ? ".f16" : type.kind == Kind::bf16 ? ".bf16" : ".f32";
}

// The width in which an integer is computed.
unsigned width_of(const Type& type) {
  return type.kind == Kind::pointer || type.bits > 32 ? 64 : type.bits > 16 ? 32 : 16;
}

}  // namespace

void FunctionWriter::integer(const Instruction& one, const Texts& a, const Texts& b) {
  const Texts out = result(one);
  const std::vector<Scalar> scalars = scalars_of(one.type);
  const std::string& opcode = one.opcode;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Type& type = *scalars[i].type;
    if (type.is_bit()) {
      const std::string x = in_register(a[i], type), y = in_register(b[i], type);
      const std::string_view name = opcode == "and" || opcode == "mul" ? "and" : opcode == "or" ? "or" : "xor";
      line("{}.pred {}, {}, {}", name, out[i], x, y);
      continue;
    }
    const unsigned width = width_of(type);
    if (opcode == "and" || opcode == "or" || opcode == "xor") {
      line("{}.b{} {}, {}, {}", opcode, width, out[i], a[i], b[i]);
    } else if (opcode == "shl" || opcode == "lshr" || opcode == "ashr") {
      std::string amount = b[i];
      if (amount.starts_with('%') && width != 32) {
        amount = new_register(".b32");
        line("cvt.u32.u{} {}, {}", width, amount, b[i]);
      }
      if (opcode == "shl")
        line("shl.b{} {}, {}, {}", width, out[i], a[i], amount);
      else
        line("shr.{}{} {}, {}, {}", opcode == "ashr" ? 's' : 'u', width, out[i], a[i], amount);
    } else {
      const bool plain = opcode == "add" || opcode == "sub" || opcode == "mul";
      const bool is_signed = plain || opcode.front() == 's';
      const std::string_view name = plain                                  ? std::string_view(opcode)
                                    : opcode == "sdiv" || opcode == "udiv" ? "div"
                                                                           : "rem";
      line("{}{}.{}{} {}, {}, {}", name, opcode == "mul" ? ".lo" : "", is_signed ? 's' : 'u', width, out[i], a[i],
           b[i]);
    }
  }
}

// A product that only this sum uses becomes a part of it.
bool FunctionWriter::fused(const Instruction& one) {
  for (std::size_t i = 0; i < 2; ++i) {
    const Operand& operand = one.operands[i];
    const Instruction* const product =
        operand.kind == Operand::Kind::local ? analysis_.definition(operand.name) : nullptr;
    if (product == nullptr || product->opcode != "fmul" || !analysis_.is_folded(*product)) continue;
    const std::string type = float_type(*one.type);
    std::string x = value(product->operands[0]), other = value(one.operands[1 - i]);
    const auto negated = [&](const std::string& text) {
      const std::string made = new_register(*one.type);
      line("neg{} {}, {}", type, made, text);
      return made;
    };
    if (one.opcode == "fsub") (i == 0 ? other : x) = negated(i == 0 ? other : x);
    const std::string y = value(product->operands[1]);
    line("fma.rn{} {}, {}, {}, {}", type, result_of(one), x, y, other);
    return true;
  }
  return false;
}

void FunctionWriter::floating(const Instruction& one) {
  if (one.type->is_scalar() && (one.opcode == "fadd" || one.opcode == "fsub") && fused(one)) return;
  const Texts a = values(one.operands[0]);
  const Texts out = result(one);
  const std::vector<Scalar> scalars = scalars_of(one.type);
  const Texts b = one.operands.size() > 1 ? values(one.operands[1]) : Texts();
  static const std::map<std::string, std::string_view> names = {
      {"fadd", "add.rn"}, {"fsub", "sub.rn"}, {"fmul", "mul.rn"}, {"fdiv", "div.rn"}};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::string type = float_type(*scalars[i].type);
    if (one.opcode == "fneg") {
      line("neg{} {}, {}", type, out[i], a[i]);
      continue;
    }
    const auto name = names.find(one.opcode);
    if (name == names.end() || (one.opcode == "fdiv" && type.ends_with("16")))
      return fail(fmt::format("{} of this type is not supported", one.opcode));
    line("{}{} {}, {}, {}", name->second, type, out[i], a[i], b[i]);
  }
}

void FunctionWriter::compare(const Instruction& one) {
  const Operand &a = one.operands[0], &b = one.operands[1];
  if (!a.type->is_scalar()) return fail("a comparison of vectors is not supported");
  const std::string out = result_of(one);
  const std::string& predicate = one.words;
  if (one.opcode == "fcmp") {
    static const std::map<std::string, std::string_view> names = {
        {"oeq", "eq"},  {"ogt", "gt"},  {"oge", "ge"},  {"olt", "lt"},  {"ole", "le"},  {"one", "ne"},  {"ord", "num"},
        {"ueq", "equ"}, {"ugt", "gtu"}, {"uge", "geu"}, {"ult", "ltu"}, {"ule", "leu"}, {"une", "neu"}, {"uno", "nan"}};
    const auto name = names.find(predicate);
    if (name == names.end()) return fail("a comparison that is always true or false is not supported");
    return line("setp.{}{} {}, {}, {}", name->second, float_type(*a.type), out, in_register(a), value(b));
  }
  if (a.type->is_bit()) {
    const std::string x = in_register(a), y = in_register(b);
    if (predicate == "ne") return line("xor.pred {}, {}, {}", out, x, y);
    if (predicate != "eq") return fail("an order of bits is not supported");
    const std::string differ = new_register(".pred");
    line("xor.pred {}, {}, {}", differ, x, y);
    return line("not.pred {}, {}", out, differ);
  }
  const bool is_signed = predicate.front() == 's', equality = predicate == "eq" || predicate == "ne";
  const std::string name = equality ? predicate : predicate.substr(1);
  const bool pointers = a.type->kind == Kind::pointer;
  const bool same_space = pointers && analysis_.space_of(a) == analysis_.space_of(b);
  const std::string x = pointers && !same_space ? generic(a) : widened(a, is_signed);
  const std::string y = pointers && !same_space ? generic(b) : widened(b, is_signed);
  line("setp.{}.{}{} {}, {}, {}", name, is_signed || (equality && !pointers) ? 's' : 'u', width_of(*a.type), out,
       in_register(x, *a.type), y);
}

void FunctionWriter::bitcast(const Instruction& one) {
  const Texts from = values(one.operands[0]);
  const std::vector<Scalar> before = scalars_of(one.operands[0].type), after = scalars_of(one.type);
  const Texts out = result(one);
  const auto bits = [](const Type& type) { return 8 * size_of(type); };
  if (from.size() == out.size()) {
    for (std::size_t i = 0; i < out.size(); ++i) line("mov.b{} {}, {}", bits(*after[i].type), out[i], from[i]);
  } else if (out.size() == 1 && from.size() <= 4) {
    Texts registers;
    for (std::size_t i = 0; i < from.size(); ++i) registers.push_back(in_register(from[i], *before[i].type));
    line("mov.b{} {}, {{{}}}", bits(*after[0].type), out[0], fmt::join(registers, ", "));
  } else if (from.size() == 1 && out.size() <= 4) {
    line("mov.b{} {{{}}}, {}", bits(*before[0].type), fmt::join(out, ", "), in_register(from[0], *before[0].type));
  } else {
    fail("a conversion between vectors is not supported");
  }
}

void FunctionWriter::convert(const Instruction& one) {
  const std::string& opcode = one.opcode;
  const Operand& operand = one.operands[0];
  const Type &from = *operand.type, &to = *one.type;
  if (opcode == "bitcast") return bitcast(one);
  if (opcode == "addrspacecast" || opcode == "inttoptr") {
    const int now = opcode == "inttoptr" ? generic_space : analysis_.space_of(operand);
    std::string text = value(operand);
    if (to.space != 0 && static_cast<int>(to.space) != now) {
      const std::string made = new_register(".b64");
      line("cvta.to{}.u64 {}, {}",
           to.space == shared_space   ? ".shared"
           : to.space == global_space ? ".global"
                                      : ".local",
           made, in_register(converted(text, now), from));
      text = made;
    }
    same_as(one, {text});
    return;
  }
  if (opcode == "ptrtoint") {
    const std::string address = generic(operand);
    if (to.bits == 64)
      same_as(one, {address});
    else
      line("cvt.u{}.u64 {}, {}", to.bits, result_of(one), in_register(address, from));
    return;
  }
  if (!from.is_scalar()) return fail("a conversion of vectors is not supported");
  const std::string out = result_of(one);
  if (from.is_bit()) {
    const std::string bit = in_register(operand);
    if (to.is_float()) {
      const std::string number = new_register(".b32");
      line("selp.u32 {}, 1, 0, {}", number, bit);
      return line("cvt.rn{}.u32 {}, {}", float_type(to), out, number);
    }
    return line("selp.s{} {}, {}, 0, {}", width_of(to), out, opcode == "sext" ? -1 : 1, bit);
  }
  if (opcode == "trunc") {
    const std::string text = in_register(operand);
    if (!to.is_bit()) {
      if (width_of(to) == width_of(from)) return line("mov.b{} {}, {}", width_of(to), out, text);
      return line("cvt.u{}.u{} {}, {}", width_of(to), width_of(from), out, text);
    }
    const std::string low = new_register(from);
    line("and.b{} {}, {}, 1", width_of(from), low, text);
    return line("setp.ne.s{} {}, {}, 0", width_of(from), out, low);
  }
  const bool is_signed = opcode == "sext" || opcode == "sitofp";
  const std::string text = in_register(widened(operand, is_signed), from);
  const char sign = is_signed ? 's' : 'u';
  if (opcode == "sext" || opcode == "zext") {
    if (width_of(to) == width_of(from)) return line("mov.b{} {}, {}", width_of(to), out, text);
    return line("cvt.{}{}.{}{} {}, {}", sign, width_of(to), sign, width_of(from), out, text);
  }
  if (opcode == "sitofp" || opcode == "uitofp")
    return line("cvt.rn{}.{}{} {}, {}", float_type(to), sign, width_of(from), out, text);
  if (opcode == "fptosi" || opcode == "fptoui")
    return line("cvt.rzi.{}{}{} {}, {}", opcode == "fptosi" ? 's' : 'u', width_of(to), float_type(from), out, text);
  line("cvt{}{}{} {}, {}", opcode == "fptrunc" ? ".rn" : "", float_type(to), float_type(from), out, text);
}

void FunctionWriter::choose(const Instruction& one) {
  if (one.operands[0].type->kind == Kind::vector) return fail("a choice between vectors is not supported");
  const std::string condition = in_register(one.operands[0]);
  const std::vector<Scalar> scalars = scalars_of(one.type);
  Operand self;
  self.kind = Operand::Kind::local;
  self.name = one.result;
  self.type = one.type;
  const bool mixed = one.type->kind == Kind::pointer && analysis_.space_of(self) == generic_space;
  const Texts a = mixed ? Texts{generic(one.operands[1])} : values(one.operands[1]);
  const Texts b = mixed ? Texts{generic(one.operands[2])} : values(one.operands[2]);
  const Texts out = result(one);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Type& type = *scalars[i].type;
    if (!type.is_bit()) {
      const std::string kind =
          type.is_float() && size_of(type) > 2 ? float_type(type) : fmt::format(".b{}", width_of(type));
      line("selp{} {}, {}, {}, {}", size_of(type) == 2 ? ".b16" : kind, out[i], a[i], b[i], condition);
      continue;
    }
    const std::string first = new_register(".pred"), second = new_register(".pred"), no = new_register(".pred");
    const std::string x = in_register(a[i], type), y = in_register(b[i], type);
    line("and.pred {}, {}, {}", first, condition, x);
    line("not.pred {}, {}", no, condition);
    line("and.pred {}, {}, {}", second, no, y);
    line("or.pred {}, {}, {}", out[i], first, second);
  }
}

// Elements of structures and vectors have registers of their own: taking one out is no instruction.
void FunctionWriter::elements(const Instruction& one) {
  Texts all = values(one.operands[0]);
  const auto scalars_before = [](const Type& type, std::uint64_t index) {
    std::size_t count = 0;
    for (std::uint64_t i = 0; i < index; ++i)
      count += scalars_of(type.kind == Kind::structure ? type.elements[i] : type.elements.front()).size();
    return count;
  };
  if (one.opcode == "shufflevector") {
    for (std::string& text : values(one.operands[1])) all.push_back(std::move(text));
    Texts out;
    const Operand& mask = one.operands[2];
    for (std::uint64_t i = 0; i < mask.type->count; ++i) {
      const std::uint64_t from = i < mask.parts.size() ? mask.parts[i].bits : 0;
      out.push_back(from < all.size() ? all[from] : "0");
    }
    same_as(one, std::move(out));
    return;
  }
  std::size_t at = 0;
  TypePtr type = one.operands[0].type;
  if (one.opcode == "extractvalue" || one.opcode == "insertvalue") {
    for (const std::uint64_t index : one.indices) {
      at += scalars_before(*type, index);
      type = type->kind == Kind::structure ? type->elements.at(index) : type->elements.front();
    }
  } else {
    const Operand& index = one.operands[one.opcode == "extractelement" ? 1 : 2];
    if (index.kind != Operand::Kind::number) return fail("an element of a vector that is chosen at run time");
    at = index.bits;
    type = type->elements.front();
  }
  const std::size_t count = scalars_of(type).size();
  if (at + count > all.size()) return fail("an element that is not there");
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(at);
  if (one.opcode.starts_with("insert"))
    std::ranges::copy(values(one.operands[1]), begin);
  else
    all = Texts(begin, begin + static_cast<std::ptrdiff_t>(count));
  same_as(one, std::move(all));
}

void FunctionWriter::arithmetic(const Instruction& one) {
  if (one.opcode == "icmp" || one.opcode == "fcmp") return compare(one);
  if (one.opcode == "select") return choose(one);
  if (one.opcode == "freeze") {
    same_as(one, values(one.operands[0]));
    return;
  }
  if (one.opcode.starts_with("insert") || one.opcode.starts_with("extract") || one.opcode == "shufflevector")
    return elements(one);
  if (one.opcode.front() == 'f' && one.opcode != "fptosi" && one.opcode != "fptoui" && one.opcode != "fptrunc" &&
      one.opcode != "fpext")
    return floating(one);
  if (one.operands.size() == 1) return convert(one);
  const bool divides = one.opcode.ends_with("div") || one.opcode.ends_with("rem") ||
                       one.opcode.ends_with("shr") || one.opcode == "shl";
  const bool narrow = divides && one.type->kind == Kind::integer && one.type->bits == 8;
  const bool is_signed = one.opcode.front() == 's' || one.opcode.front() == 'a';
  if (narrow) return integer(one, {widened(one.operands[0], is_signed)}, {widened(one.operands[1], is_signed)});
  integer(one, values(one.operands[0]), values(one.operands[1]));
}

void FunctionWriter::instruction(const Instruction& one) {
  const std::string& opcode = one.opcode;
  if (opcode == "getelementptr") return pointer(one);
  if (opcode == "load") return load(one);
  if (opcode == "store") return store(one);
  if (opcode == "atomicrmw" || opcode == "cmpxchg") return atomic(one);
  if (opcode == "call") return call(one);
  if (opcode == "fence") return line("membar.gl");
  if (opcode == "alloca") {
    const std::string frame = fmt::format("__local_{}_{}", number_, frames_.size()), made = result_of(one);
    frames_[one.result] = frame;
    locals_ += fmt::format("\t.local .align {} .b8 {}[{}];\n", std::max({std::uint64_t{one.alignment}, alignment_of(*one.element), std::uint64_t{8}}), frame,
                           std::max<std::uint64_t>(size_of(*one.element), 1));
    return line("mov.u64 {}, {}", made, frame);
  }
  arithmetic(one);
}

}  // namespace warpwalk::nvvm
