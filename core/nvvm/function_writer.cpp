#include "core/nvvm/function_writer.h"

#include <algorithm>
#include <cctype>

namespace warpwalk::nvvm {

using Kind = Type::Kind;

std::string ptx_name(std::string_view name) {
  std::string out;
  for (const char c : name) out += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ? c : '_';
  return out;
}

std::string_view move_type(const Type& type) {
  switch (type.kind) {
    case Kind::f16:
    case Kind::bf16: return ".b16";
    case Kind::f32: return ".f32";
    case Kind::f64: return ".f64";
    case Kind::pointer: return ".b64";
    default: break;
  }
  return type.bits == 1 ? ".pred" : type.bits <= 16 ? ".b16" : type.bits <= 32 ? ".b32" : ".b64";
}

std::string ptx_number(const Type& type, std::uint64_t bits) {
  if (type.kind == Kind::f32) return fmt::format("0f{:08X}", bits);
  if (type.kind == Kind::f64) return fmt::format("0d{:016X}", bits);
  if (type.kind == Kind::integer && type.bits == 64) return fmt::format("{}", static_cast<std::int64_t>(bits));
  if (type.kind == Kind::integer && type.bits == 32) return fmt::format("{}", static_cast<std::int32_t>(bits));
  return fmt::format("{}", bits);
}

FunctionWriter::FunctionWriter(const Module& module, const Function& function, int number)
    : module_(module), function_(function), analysis_(module, function), number_(number) {
  for (const Block& block : function.blocks) blocks_[block.name] = &block;
}

void FunctionWriter::fail(std::string_view what) {
  if (!problem_.empty()) return;
  problem_ = line_ == 0 ? std::string(what) : fmt::format("line {}: {}", line_, what);
}

std::string FunctionWriter::new_register(std::string_view move) {
  const std::string_view prefix = move == ".pred"  ? "%p"
                                  : move == ".b16" ? "%rs"
                                  : move == ".b32" ? "%r"
                                  : move == ".b64" ? "%rd"
                                  : move == ".f32" ? "%f"
                                                   : "%fd";
  return fmt::format("{}{}", prefix, ++counts_[std::string(prefix)]);
}

std::string FunctionWriter::new_register(const Type& type) {
  if (type.kind == Kind::integer && type.bits != 1 && type.bits != 8 && type.bits != 16 && type.bits != 32 &&
      type.bits != 64)
    fail(fmt::format("integers of {} bits are not supported", type.bits));
  return new_register(move_type(type));
}

const FunctionWriter::Texts& FunctionWriter::result(const Instruction& one) {
  if (const Instruction* const phi = analysis_.same_register(one)) return registers_[one.result] = result(*phi);
  Texts& all = registers_[one.result];
  if (all.empty())
    for (const Scalar& scalar : scalars_of(one.type)) all.push_back(new_register(*scalar.type));
  return all;
}

void FunctionWriter::same_as(const Instruction& one, Texts texts) {
  const auto known = registers_.find(one.result);
  if (known == registers_.end() || known->second.empty()) {
    registers_[one.result] = std::move(texts);
    return;
  }
  // A block that stands before this one has used the result already.
  const Texts out = known->second;
  const std::vector<Scalar> scalars = scalars_of(one.type);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Type& type = *scalars[i].type;
    line("mov{} {}, {}", move_type(type), out[i], type.is_bit() ? in_register(texts[i], type) : texts[i]);
  }
}

FunctionWriter::Texts FunctionWriter::values(const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::local: {
      const auto known = registers_.find(operand.name);
      if (known != registers_.end() && !known->second.empty()) return known->second;
      const Instruction* const one = analysis_.definition(operand.name);
      if (one == nullptr) break;
      if (!analysis_.is_folded(*one)) return result(*one);
      if (one->opcode == "load") return result(*one);
      // Written where it is used: the address of a constant offset, or a widened index.
      instruction(*one);
      const Texts made = registers_[operand.name];
      registers_.erase(operand.name);  // it is not there on other ways through the code
      return made;
    }
    case Operand::Kind::global: {
      const std::string address = new_register(".b64");
      line("mov.u64 {}, {}", address, ptx_name(operand.name));
      return {address};
    }
    case Operand::Kind::address: {
      const Root root = analysis_.root_of(operand);
      const std::string base = value(*root.base);
      if (root.offset == 0) return {base};
      const std::string address = new_register(".b64");
      line("add.s64 {}, {}, {}", address, base, root.offset);
      return {address};
    }
    case Operand::Kind::cast: return values(operand.parts.front());
    case Operand::Kind::number: return {ptx_number(*operand.type, operand.bits)};
    case Operand::Kind::list: {
      Texts all;
      for (const Operand& part : operand.parts)
        for (std::string& text : values(part)) all.push_back(std::move(text));
      return all;
    }
    case Operand::Kind::undefined:
    case Operand::Kind::zero: {
      Texts all;
      for (const Scalar& scalar : scalars_of(operand.type)) all.push_back(ptx_number(*scalar.type, 0));
      return all;
    }
  }
  fail(fmt::format("the value %{} is not known", operand.name));
  return {"0"};
}

std::string FunctionWriter::value(const Operand& operand) {
  const Texts all = values(operand);
  return all.empty() ? "0" : all.front();
}

std::string FunctionWriter::in_register(const std::string& text, const Type& type) {
  if (text.starts_with('%')) return text;
  const std::string made = new_register(type);
  if (type.is_bit())
    line("setp.ne.b32 {}, {}, 0", made, text);
  else
    line("mov{} {}, {}", move_type(type), made, text);
  return made;
}

std::string FunctionWriter::in_register(const Operand& operand) { return in_register(value(operand), *operand.type); }

std::string FunctionWriter::converted(const std::string& address, int space) {
  if (space != shared_space && space != local_space && space != constant_space) return address;
  const std::string made = new_register(".b64");
  line("cvta{}.u64 {}, {}",
       space == shared_space  ? ".shared"
       : space == local_space ? ".local"
                              : ".const",
       made, in_register(address, *made_type(Kind::pointer)));
  return made;
}

std::string FunctionWriter::generic(const Operand& operand) {
  if (operand.type->kind != Kind::pointer || operand.type->space != 0) return value(operand);
  return converted(value(operand), analysis_.space_of(operand));
}

std::string FunctionWriter::widened(const Operand& operand, bool sign) {
  const std::string text = value(operand);
  if (sign && operand.kind == Operand::Kind::number && operand.type->kind == Kind::integer && operand.type->bits == 8)
    return fmt::format("{}", static_cast<std::int8_t>(operand.bits));
  if (operand.type->bits != 8 || operand.type->kind != Kind::integer || !text.starts_with('%')) return text;
  const std::string made = new_register(".b16");
  if (sign)
    line("cvt.s16.s8 {}, {}", made, text);
  else
    line("and.b16 {}, {}, 255", made, text);
  return made;
}

std::string FunctionWriter::label(const std::string& block) const {
  std::size_t at = 0;
  while (at < function_.blocks.size() && function_.blocks[at].name != block) ++at;
  return fmt::format("$L__BB{}_{}", number_, at);
}

void FunctionWriter::parameters() {
  const std::string name = ptx_name(function_.name);
  for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
    const Operand& parameter = function_.parameters[i];
    const Type& type = *parameter.type;
    if (function_.by_value[i] != 0) {
      // A structure is copied into memory of its own, word by word.
      const std::string frame = fmt::format("__local_param{}_{}", number_, i), address = new_register(".b64");
      locals_ += fmt::format("\t.local .align 16 .b8 {}[{}];\n", frame, (function_.by_value[i] + 3) / 4 * 4);
      line("mov.u64 {}, {}", address, frame);
      for (std::uint64_t at = 0; at < function_.by_value[i]; at += 4) {
        const std::string word = new_register(".b32");
        line("ld.param.u32 {}, [{}_param_{}+{}]", word, name, i, at);
        line("st.local.u32 [{}+{}], {}", address, at, word);
      }
      registers_[parameter.name] = {address};
      continue;
    }
    std::string made = new_register(type);
    const std::string_view move = type.is_bit() ? ".b16" : move_type(type);
    if (type.is_bit()) made = new_register(".b16");
    line("ld.param{} {}, [{}_param_{}]", type.kind == Kind::integer && type.bits <= 8 ? ".u8" : move, made, name, i);
    if (type.is_bit()) {
      const std::string bit = new_register(".pred");
      line("setp.ne.b16 {}, {}, 0", bit, made);
      made = bit;
    }
    if (type.kind == Kind::pointer && analysis_.space_of(parameter) == global_space) {
      const std::string address = new_register(".b64");
      line("cvta.to.global.u64 {}, {}", address, made);
      made = address;
    }
    registers_[parameter.name] = {made};
  }
}

void FunctionWriter::phi_values(const Block& from, const std::string& to, const std::string& guard) {
  const auto block = blocks_.find(to);
  if (block == blocks_.end()) return fail("a branch leads nowhere");
  struct Copy {
    std::string to, from;
    const Type* type;
  };
  std::vector<Copy> copies;
  for (const Instruction& phi : block->second->code) {
    if (phi.opcode != "phi") break;
    const auto label_at = std::ranges::find(phi.labels, from.name);
    if (label_at == phi.labels.end()) continue;
    const Operand& operand = phi.operands[static_cast<std::size_t>(label_at - phi.labels.begin())];
    if (operand.kind == Operand::Kind::undefined) continue;
    const Texts to_registers = result(phi);
    Texts values_there = values(operand);
    Operand self;
    self.kind = Operand::Kind::local;
    self.name = phi.result;
    self.type = phi.type;
    if (phi.type->kind == Kind::pointer && analysis_.space_of(self) == generic_space) values_there = {generic(operand)};
    const std::vector<Scalar> scalars = scalars_of(phi.type);
    for (std::size_t i = 0; i < to_registers.size(); ++i)
      if (to_registers[i] != values_there[i])
        copies.push_back({to_registers[i], values_there[i], scalars[i].type.get()});
  }
  const auto move = [&](const std::string& into, const std::string& text, const Type& type) {
    if (!type.is_bit()) return line("{}mov{} {}, {}", guard, move_type(type), into, text);
    if (text.starts_with('%'))
      line("{}mov.pred {}, {}", guard, into, text);
    else
      line("{}setp.ne.b32 {}, {}, 0", guard, into, text);
  };
  // All values are read before one is written; a value that nothing overwrites needs no register between.
  for (Copy& copy : copies) {
    const bool overwritten = std::ranges::any_of(copies, [&](const Copy& other) { return other.to == copy.from; });
    const bool guards = guard.find(copy.to + " ") != std::string::npos;
    if (guards) fail("a condition is replaced by the branch that it decides");
    if (!overwritten) continue;
    const std::string between = new_register(*copy.type);
    move(between, copy.from, *copy.type);
    copy.from = between;
  }
  for (const Copy& copy : copies) move(copy.to, copy.from, *copy.type);
}

void FunctionWriter::ending(const Instruction& one, std::size_t number) {
  const Block& block = function_.blocks[number];
  const std::string next = number + 1 < function_.blocks.size() ? function_.blocks[number + 1].name : std::string();
  const auto go = [&](const std::string& to) {
    phi_values(block, to, "");
    if (to != next) line("bra.uni {}", label(to));
  };
  if (one.opcode == "ret") {
    line("ret");
  } else if (one.opcode == "unreachable") {
    line("trap");
  } else if (one.opcode == "br" && one.operands.empty()) {
    go(one.labels[0]);
  } else if (one.opcode == "br") {
    const std::string condition = in_register(one.operands.front());
    if (one.labels[0] == one.labels[1]) return go(one.labels[0]);
    const bool swapped = one.labels[0] == next;
    const std::string& jump = one.labels[swapped ? 1 : 0];
    const std::string& other = one.labels[swapped ? 0 : 1];
    const std::string guard = fmt::format("@{}{} ", swapped ? "!" : "", condition);
    phi_values(block, jump, guard);
    line("{}bra {}", guard, label(jump));
    go(other);
  } else if (one.opcode == "switch") {
    const Type& type = *one.operands.front().type;
    const std::string text = in_register(widened(one.operands.front(), false), type);
    for (std::size_t i = 0; i < one.cases.size(); ++i) {
      const std::string here = new_register(".pred");
      line("setp.eq{} {}, {}, {}",
           type.bits == 64   ? ".s64"
           : type.bits == 32 ? ".s32"
                             : ".s16",
           here, text, ptx_number(type, one.cases[i]));
      const std::string guard = fmt::format("@{} ", here);
      phi_values(block, one.labels[i + 1], guard);
      line("{}bra {}", guard, label(one.labels[i + 1]));
    }
    go(one.labels[0]);
  }
}

std::string FunctionWriter::text() {
  parameters();
  for (std::size_t b = 0; b < function_.blocks.size() && problem_.empty(); ++b) {
    code_ += fmt::format("{}:\n", label(function_.blocks[b].name));
    for (const Instruction& one : function_.blocks[b].code) {
      if (one.opcode == "phi") {
        result(one);
        continue;
      }
      if (one.line != 0) line_ = one.line;
      if (one.line != 0 && one.line != shown_line_) {
        shown_line_ = one.line;
        code_ += fmt::format("\t.loc 1 {} 0\n", one.line);
      }
      const bool last = &one == &function_.blocks[b].code.back();
      if (last)
        ending(one, b);
      else if (!analysis_.is_folded(one))
        instruction(one);
    }
  }
  std::string out = fmt::format(".visible .entry {}(", ptx_name(function_.name));
  for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
    const Type& type = *function_.parameters[i].type;
    const std::string name = fmt::format("{}_param_{}", ptx_name(function_.name), i);
    const std::uint64_t bytes = function_.by_value[i];
    out += i == 0 ? "\n" : ",\n";
    if (bytes != 0)
      out += fmt::format("\t.param .align 8 .b8 {}[{}]", name, bytes);
    else if (type.is_float() && type.kind != Kind::f16 && type.kind != Kind::bf16)
      out += fmt::format("\t.param {} {}", move_type(type), name);
    else
      out += fmt::format("\t.param .u{} {}", 8 * size_of(type), name);
  }
  out += "\n)\n{\n" + locals_;
  for (const auto& [prefix, count] : counts_) {
    const std::string_view move = prefix == "%p"    ? ".pred"
                                  : prefix == "%rs" ? ".b16"
                                  : prefix == "%r"  ? ".b32"
                                  : prefix == "%rd" ? ".b64"
                                  : prefix == "%f"  ? ".f32"
                                                    : ".f64";
    out += fmt::format("\t.reg {} {}<{}>;\n", move, prefix, count + 1);
  }
  return out + code_ + "}\n";
}

}  // namespace warpwalk::nvvm
