#include "core/crash/access.h"

#include <algorithm>

namespace warpwalk::crash {

using sass::Opcode;
using sass::Operand;
using sass::OperandKind;
using sass::Word;

namespace {

constexpr std::uint64_t local_space_mask = 0xffffffff;

std::optional<AccessSpace> space_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::ld:
    case Opcode::ldg:
    case Opcode::st:
    case Opcode::stg:
    case Opcode::atom:
    case Opcode::atomg:
    case Opcode::red:
    case Opcode::redg: return AccessSpace::global;
    case Opcode::lds:
    case Opcode::ldsm:
    case Opcode::sts:
    case Opcode::stsm:
    case Opcode::atoms:
    case Opcode::syncs: return AccessSpace::shared;
    case Opcode::ldl:
    case Opcode::stl: return AccessSpace::local;
    default: return std::nullopt;
  }
}

/// Bytes that one thread accesses.
std::uint32_t access_bytes(const sass::Instruction& i) {
  const Word size = i.word(sass::Field::size);
  const Word type = i.word(sass::Field::type);
  switch (size) {
    case Word::u8:
    case Word::s8: return 1;
    case Word::u16:
    case Word::s16: return 2;
    case Word::n64: return 8;
    case Word::n128: return 16;
    case Word::n256: return 32;
    default: break;
  }
  switch (type) {
    case Word::n64:
    case Word::u64:
    case Word::s64:
    case Word::f64:
    case Word::f64_rn: return 8;
    case Word::n128: return 16;
    default: return i.opcode == Opcode::syncs ? 8 : 4;
  }
}

}  // namespace

std::optional<Access> access_of(const sass::Instruction& instruction) {
  const auto space = space_of(instruction.opcode);
  const auto address = std::ranges::find(instruction.operands, OperandKind::address, &Operand::kind);
  if (!space || address == instruction.operands.end()) return std::nullopt;
  Access access{.space = *space, .bytes = access_bytes(instruction), .address = &*address};
  switch (instruction.opcode) {
    case Opcode::atom:
    case Opcode::atomg:
    case Opcode::atoms:
    case Opcode::red:
    case Opcode::redg: access.is_atomic = access.writes = true; break;
    case Opcode::st:
    case Opcode::stg:
    case Opcode::sts:
    case Opcode::stsm:
    case Opcode::stl: access.writes = true; break;
    default: break;
  }
  access.is_generic = instruction.opcode == Opcode::ld || instruction.opcode == Opcode::st ||
                      instruction.opcode == Opcode::atom || instruction.opcode == Opcode::red;
  return access;
}

std::optional<std::uint64_t> accessed_address(const Access& access, PastValues& values) {
  const Operand& o = *access.address;
  const bool has_uniform = o.uniform != sass::zero_uniform_register;
  const bool is_wide = access.space == AccessSpace::global;
  std::uint64_t sum = static_cast<std::uint64_t>(o.value);
  if (o.reg != sass::zero_register) {
    const auto low = values.general(o.reg);
    if (!low) return std::nullopt;
    std::uint64_t base = *low;
    // Without a uniform register, .E alone means a pair of registers.
    if (is_wide && (o.width == sass::AddressWidth::bits_64 || !has_uniform)) {
      const auto high = values.general(o.reg + 1U);
      if (!high) return std::nullopt;
      base |= std::uint64_t{*high} << 32;
    }
    sum += base * o.scale;
  }
  if (has_uniform) {
    const auto low = values.uniform(o.uniform);
    if (!low) return std::nullopt;
    sum += *low;
    if (is_wide) {
      const auto high = values.uniform(o.uniform + 1U);
      if (!high) return std::nullopt;
      sum += std::uint64_t{*high} << 32;
    }
  }
  return is_wide ? sum : sum & local_space_mask;
}

std::set<std::uint64_t> address_constants(const Access& access, PastValues& values) {
  const Operand& o = *access.address;
  std::set<std::uint64_t> offsets = values.constants(o.reg, o.uniform);
  if (access.space != AccessSpace::global) return offsets;
  // The upper half of an address comes from the same argument, unless it was loaded with the lower one.
  for (const std::uint64_t offset : values.constants(o.reg == sass::zero_register ? o.reg : o.reg + 1U, o.uniform))
    offsets.insert(offset);
  return offsets;
}

}  // namespace warpwalk::crash
