#include "core/gpu/exec/lower/known_values.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/gpu/exec/uses.h"

namespace warpwalk::gpu {

namespace {

using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;

constexpr std::uint8_t all_zeros = 64;

void note(SassValues& values, const Operand& o, bool written, std::int32_t at) {
  for (const Operand& element : o.elements) note(values, element, written, at);
  if (o.kind != OperandKind::reg) return;
  const auto r = static_cast<std::size_t>(o.index);
  if (written && !o.address) {
    ++values.definitions[r];
    values.defined_at[r] = at;
  } else {
    ++values.uses[r];
    values.used_at[r].push_back(at);
  }
}

bool special_varies(ptx::Special special) {
  switch (special) {
    case ptx::Special::tid_x:
    case ptx::Special::tid_y:
    case ptx::Special::tid_z:
    case ptx::Special::laneid:
    case ptx::Special::lanemask_eq:
    case ptx::Special::lanemask_lt:
    case ptx::Special::lanemask_le:
    case ptx::Special::lanemask_gt:
    case ptx::Special::lanemask_ge: return true;
    default: return false;
  }
}

bool operand_varies(const SassValues& values, const Operand& o) {
  if (o.kind == OperandKind::reg) return values.varies[static_cast<std::size_t>(o.index)] != 0;
  if (o.kind == OperandKind::special) return special_varies(o.special);
  return std::any_of(o.elements.begin(), o.elements.end(), [&](const Operand& e) { return operand_varies(values, e); });
}

bool result_varies(const SassValues& values, const ptx::Instruction& i) {
  if (i.opcode == Opcode::atom || i.opcode == Opcode::activemask) return true;
  if ((i.opcode == Opcode::ld || i.opcode == Opcode::ldu) && i.space == ptx::Space::local) return true;
  if (i.guard >= 0 && values.varies[static_cast<std::size_t>(i.guard)] != 0) return true;
  return std::any_of(i.operands.begin() + 1, i.operands.end(),
                     [&](const Operand& o) { return operand_varies(values, o); });
}

void mark(std::vector<std::uint8_t>& flags, const Operand& o, bool& changed) {
  for (const Operand& element : o.elements) mark(flags, element, changed);
  if (o.kind == OperandKind::reg && std::exchange(flags[static_cast<std::size_t>(o.index)], 1) == 0) changed = true;
}

std::uint8_t zeros_of(std::uint64_t value) {
  return value == 0 ? all_zeros : static_cast<std::uint8_t>(std::countr_zero(value));
}

std::uint8_t zeros_of(const SassValues& values, const SharedPlaces& places, const Operand& o) {
  switch (o.kind) {
    case OperandKind::reg: return values.zeros[static_cast<std::size_t>(o.index)];
    case OperandKind::immediate: return zeros_of(o.bits);
    case OperandKind::variable:
      return zeros_of(places.of_module[static_cast<std::size_t>(o.index)] + static_cast<std::uint64_t>(o.offset));
    case OperandKind::local_variable:
      return zeros_of(places.of_function[static_cast<std::size_t>(o.index)] + static_cast<std::uint64_t>(o.offset));
    default: return 0;
  }
}

std::uint8_t result_zeros(const SassValues& values, const SharedPlaces& places, const ptx::Instruction& i) {
  const auto of = [&](std::size_t k) { return zeros_of(values, places, i.operands[k]); };
  const auto sum = [](int a, int b) { return static_cast<std::uint8_t>(std::min(a + b, static_cast<int>(all_zeros))); };
  switch (i.opcode) {
    case Opcode::mov:
    case Opcode::cvt:
    case Opcode::cvta: return of(1);
    case Opcode::add:
    case Opcode::sub:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::min:
    case Opcode::max: return ptx::is_float(i.type()) ? 0 : std::min(of(1), of(2));
    case Opcode::and_: return std::max(of(1), of(2));
    case Opcode::mul: return ptx::is_float(i.type()) || i.has(ptx::Modifier::hi) ? 0 : sum(of(1), of(2));
    case Opcode::mad:
      return ptx::is_float(i.type()) || i.has(ptx::Modifier::hi) ? 0 : std::min(sum(of(1), of(2)), of(3));
    case Opcode::shl:
      return i.operands[2].kind == OperandKind::immediate
                 ? sum(of(1), static_cast<int>(std::min<std::uint64_t>(i.operands[2].bits, 64)))
                 : 0;
    case Opcode::selp: return std::min(of(1), of(2));
    default: return 0;
  }
}

}  // namespace

SassValues sass_values(const ptx::Function& function, const SharedPlaces& places) {
  const std::size_t count = function.registers.size();
  SassValues values;
  values.definitions.resize(count);
  values.uses.resize(count);
  values.defined_at.assign(count, -1);
  values.used_at.resize(count);
  values.varies.resize(count);
  values.zeros.assign(count, all_zeros);
  for (std::size_t at = 0; at < function.instructions.size(); ++at) {
    const ptx::Instruction& i = function.instructions[at];
    for (std::size_t k = 0; k < i.operands.size(); ++k) {
      note(values, i.operands[k], k == 0 && has_destination(i), static_cast<std::int32_t>(at));
    }
    if (i.guard >= 0) {
      ++values.uses[static_cast<std::size_t>(i.guard)];
      values.used_at[static_cast<std::size_t>(i.guard)].push_back(static_cast<std::int32_t>(at));
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const ptx::Instruction& i : function.instructions) {
      if (i.operands.empty() || !has_destination(i)) continue;
      if (result_varies(values, i)) mark(values.varies, i.operands[0], changed);
      const auto lower = [&](const Operand& to, std::uint8_t zeros) {
        if (to.kind != OperandKind::reg || zeros >= values.zeros[static_cast<std::size_t>(to.index)]) return;
        values.zeros[static_cast<std::size_t>(to.index)] = zeros;
        changed = true;
      };
      if (i.operands[0].kind == OperandKind::reg) {
        lower(i.operands[0], result_zeros(values, places, i));
      } else {
        for (const Operand& element : i.operands[0].elements) lower(element, 0);
      }
    }
  }
  return values;
}

}  // namespace warpwalk::gpu
