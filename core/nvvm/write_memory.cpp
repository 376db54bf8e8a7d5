#include <algorithm>
#include <bit>

#include "core/nvvm/function_writer.h"
#include "core/nvvm/reader.h"

namespace warpwalk::nvvm {

using Kind = Type::Kind;

namespace {

std::string_view space_name(int space) {
  return space == global_space     ? ".global"
         : space == shared_space   ? ".shared"
         : space == constant_space ? ".const"
         : space == local_space    ? ".local"
                                   : "";
}

// The type of an access.
std::string access_type(const Type& type) {
  if (type.kind == Kind::f32) return ".f32";
  if (type.kind == Kind::f64) return ".f64";
  if (type.kind == Kind::f16 || type.kind == Kind::bf16) return ".b16";
  return fmt::format(".u{}", 8 * size_of(type));
}

// How many of the scalars from `at` on are one access.
std::size_t together(const std::vector<Scalar>& scalars, std::size_t at, std::uint64_t alignment) {
  constexpr std::uint64_t widest = 16;
  const std::uint64_t bytes = size_of(*scalars[at].type);
  for (const std::size_t count : {std::size_t{4}, std::size_t{2}}) {
    if (at + count > scalars.size() || count * bytes > widest) continue;
    if (alignment % (count * bytes) != 0 || scalars[at].offset % (count * bytes) != 0) continue;
    bool same = !scalars[at].type->is_bit();
    for (std::size_t i = 1; i < count; ++i)
      same = same && scalars[at + i].type->kind == scalars[at].type->kind && size_of(*scalars[at + i].type) == bytes &&
             scalars[at + i].offset == scalars[at].offset + i * bytes;
    if (same) return count;
  }
  return 1;
}

}  // namespace

void FunctionWriter::pointer(const Instruction& one) {
  const Operand& base = one.operands[0];
  const std::vector<Operand> indices(one.operands.begin() + 1, one.operands.end());
  std::string text = value(base);
  std::int64_t offset = 0;
  TypePtr at = one.element;
  struct Term {
    const Operand* index;
    std::uint64_t bytes;
  };
  std::vector<Term> terms;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (i > 0 && at->kind == Kind::structure) {
      offset += static_cast<std::int64_t>(offset_of(*at, indices[i].bits));
      at = at->elements.at(indices[i].bits);
      continue;
    }
    if (i > 0) at = at->elements.front();
    const std::uint64_t bytes = size_of(*at);
    if (indices[i].kind == Operand::Kind::number) {
      std::int64_t index = static_cast<std::int64_t>(indices[i].bits);
      if (indices[i].type->bits == 32) index = static_cast<std::int32_t>(index);
      offset += index * static_cast<std::int64_t>(bytes);
    } else if (indices[i].kind == Operand::Kind::local) {
      terms.push_back({&indices[i], bytes});
    }
  }
  const std::size_t parts = terms.size() + (offset != 0 ? 1 : 0);
  if (parts == 0) {
    same_as(one, {text});
    return;
  }
  std::size_t done = 0;
  const auto into = [&] { return ++done == parts ? result_of(one) : new_register(".b64"); };
  for (const Term& term : terms) {
    const Instruction* const wide = analysis_.definition(term.index->name);
    const bool folded = wide != nullptr && (wide->opcode == "sext" || wide->opcode == "zext") &&
                        wide->operands[0].type->bits == 32 && analysis_.is_folded(*wide);
    if (folded || term.index->type->bits == 32) {
      const std::string index = in_register(folded ? wide->operands[0] : *term.index);
      const std::string product = new_register(".b64"), to = into();
      line("mul.wide.{}32 {}, {}, {}", folded && wide->opcode == "zext" ? 'u' : 's', product, index, term.bytes);
      line("add.s64 {}, {}, {}", to, text, product);
      text = to;
      continue;
    }
    std::string product = in_register(*term.index);
    if (term.bytes != 1) {
      const std::string scaled = new_register(".b64");
      if (std::has_single_bit(term.bytes))
        line("shl.b64 {}, {}, {}", scaled, product, std::countr_zero(term.bytes));
      else
        line("mul.lo.s64 {}, {}, {}", scaled, product, term.bytes);
      product = scaled;
    }
    const std::string to = into();
    line("add.s64 {}, {}, {}", to, text, product);
    text = to;
  }
  if (offset != 0) line("add.s64 {}, {}, {}", into(), text, offset);
}

FunctionWriter::Address FunctionWriter::address(const Operand& operand, std::uint64_t plus) {
  const Root root = analysis_.root_of(operand);
  const int space = analysis_.space_of(operand);
  const std::int64_t offset = root.offset + static_cast<std::int64_t>(plus);
  std::string base;
  if (root.base->kind == Operand::Kind::global)
    base = ptx_name(root.base->name);
  else
    base = in_register(value(*root.base), *made_type(Kind::pointer));
  const std::string text = offset == 0 ? base : fmt::format("{}+{}", base, offset);
  return {text, std::string(space_name(space))};
}

void FunctionWriter::load(const Instruction& one) {
  const char* const order = one.is_volatile ? ".volatile" : "";
  if (const auto* const merged = analysis_.merged(one)) {
    const Address from = address(merged->front()->operands[0]);
    Texts registers;
    for (const Instruction* const part : *merged) registers.push_back(result_of(*part));
    return line("ld{}{}.v{}{} {{{}}}, [{}]", order, from.space, merged->size(), access_type(*one.type),
                fmt::join(registers, ", "), from.text);
  }
  const std::vector<Scalar> scalars = scalars_of(one.type);
  const std::uint64_t alignment = one.alignment != 0 ? one.alignment : alignment_of(*one.type);
  const Texts out = result(one);
  for (std::size_t i = 0; i < scalars.size();) {
    const Address from = address(one.operands[0], scalars[i].offset);
    const std::size_t count = together(scalars, i, alignment);
    if (count > 1) {
      const Texts registers(out.begin() + static_cast<std::ptrdiff_t>(i),
                            out.begin() + static_cast<std::ptrdiff_t>(i + count));
      line("ld{}{}.v{}{} {{{}}}, [{}]", order, from.space, count, access_type(*scalars[i].type),
           fmt::join(registers, ", "), from.text);
    } else if (scalars[i].type->is_bit()) {
      const std::string byte = new_register(".b16");
      line("ld{}{}.u8 {}, [{}]", order, from.space, byte, from.text);
      line("setp.ne.s16 {}, {}, 0", out[i], byte);
    } else {
      line("ld{}{}{} {}, [{}]", order, from.space, access_type(*scalars[i].type), out[i], from.text);
    }
    i += count;
  }
}

void FunctionWriter::store(const Instruction& one) {
  const char* const order = one.is_volatile ? ".volatile" : "";
  const auto stored = [&](const Operand& operand) {
    return operand.type->kind == Kind::pointer ? Texts{generic(operand)} : values(operand);
  };
  if (const auto* const merged = analysis_.merged(one)) {
    const Address to = address(merged->front()->operands[1]);
    Texts registers;
    for (const Instruction* const part : *merged)
      registers.push_back(in_register(stored(part->operands[0]).front(), *part->operands[0].type));
    return line("st{}{}.v{}{} [{}], {{{}}}", order, to.space, merged->size(), access_type(*one.operands[0].type),
                to.text, fmt::join(registers, ", "));
  }
  const std::vector<Scalar> scalars = scalars_of(one.operands[0].type);
  const std::uint64_t alignment = one.alignment != 0 ? one.alignment : alignment_of(*one.operands[0].type);
  const Texts all = stored(one.operands[0]);
  for (std::size_t i = 0; i < scalars.size();) {
    const Address to = address(one.operands[1], scalars[i].offset);
    const std::size_t count = together(scalars, i, alignment);
    if (count > 1) {
      Texts registers;
      for (std::size_t k = i; k < i + count; ++k) registers.push_back(in_register(all[k], *scalars[k].type));
      line("st{}{}.v{}{} [{}], {{{}}}", order, to.space, count, access_type(*scalars[i].type), to.text,
           fmt::join(registers, ", "));
    } else if (scalars[i].type->is_bit()) {
      const std::string byte = new_register(".b16");
      line("selp.u16 {}, 1, 0, {}", byte, in_register(all[i], *scalars[i].type));
      line("st{}{}.u8 [{}], {}", order, to.space, to.text, byte);
    } else {
      line("st{}{}{} [{}], {}", order, to.space, access_type(*scalars[i].type), to.text,
           in_register(all[i], *scalars[i].type));
    }
    i += count;
  }
}

void FunctionWriter::atomic(const Instruction& one) {
  const Operand& target = one.operands[0];
  const Address at = address(target);
  const Type& type = *one.operands[1].type;
  const std::uint64_t bits = 8 * size_of(type);
  if (bits < 32 && !type.is_float()) return fail("an atomic operation on fewer than 32 bits is not supported");
  const std::string first = in_register(one.operands[1]);
  if (one.opcode == "cmpxchg") {
    const Texts out = result(one);
    line("atom{}.cas.b{} {}, [{}], {}, {}", at.space, bits, out[0], at.text, first, in_register(one.operands[2]));
    return line("setp.eq.s{} {}, {}, {}", bits, out[1], out[0], first);
  }
  static constexpr std::string_view same[] = {"and", "or", "xor"};
  const std::string& name = one.words;
  std::string kind;
  if (name == "fadd")
    kind = type.kind == Kind::f32 ? ".add.f32" : type.kind == Kind::f64 ? ".add.f64" : ".add.noftz.f16";
  else if (name == "add")
    kind = fmt::format(".add.u{}", bits);
  else if (name == "xchg")
    kind = fmt::format(".exch.b{}", bits);
  else if (name == "max" || name == "min")
    kind = fmt::format(".{}.s{}", name, bits);
  else if (name == "umax" || name == "umin")
    kind = fmt::format(".{}.u{}", name.substr(1), bits);
  else if (name == "uinc_wrap" || name == "udec_wrap")
    kind = fmt::format(".{}.u{}", name.substr(1, 3), bits);
  else if (std::ranges::find(same, name) != std::end(same))
    kind = fmt::format(".{}.b{}", name, bits);
  if (name == "sub") {
    const std::string negative = new_register(type);
    line("neg.s{} {}, {}", bits, negative, first);
    return line("atom{}.add.u{} {}, [{}], {}", at.space, bits, result_of(one), at.text, negative);
  }
  if (kind.empty()) return fail(fmt::format("the atomic operation {} is not supported", name));
  line("atom{}{} {}, [{}], {}", at.space, kind, result_of(one), at.text, first);
}

void FunctionWriter::copy_memory(const Instruction& one) {
  constexpr std::uint64_t most = 1024;
  const bool sets = one.words.starts_with("llvm.memset");
  const Operand& size = one.operands[2];
  if (size.kind != Operand::Kind::number || size.bits > most)
    return fail("a copy of memory whose size is large or known only at run time is not supported");
  const std::string byte = sets ? in_register(one.operands[1]) : std::string();
  for (std::uint64_t at = 0; at < size.bits; ++at) {
    const Address to = address(one.operands[0], at);
    std::string text = byte;
    if (!sets) {
      const Address from = address(one.operands[1], at);
      text = new_register(".b16");
      line("ld{}.u8 {}, [{}]", from.space, text, from.text);
    }
    line("st{}.u8 [{}], {}", to.space, to.text, text);
  }
}

}  // namespace warpwalk::nvvm
