#include "core/sass/analysis/register_use.h"

#include <algorithm>

#include "core/sass/opcode_properties.h"

namespace warpwalk::sass {
namespace {

void add_general(RegisterSet& set, unsigned first, unsigned count) {
  if (first == zero_register) return;
  for (unsigned r = first; r < std::min(first + count, unsigned{zero_register}); ++r) set.general.set(r);
}

void add_uniform(RegisterSet& set, unsigned first, unsigned count) {
  if (first >= zero_uniform_register) return;
  for (unsigned r = first; r < std::min(first + count, unsigned{zero_uniform_register}); ++r) set.uniform.set(r);
}

void add_predicate(RegisterSet& set, const Operand& operand) {
  if (operand.reg >= true_predicate) return;
  if (operand.kind == OperandKind::predicate) set.predicates.set(operand.reg);
  if (operand.kind == OperandKind::uniform_predicate) set.uniform_predicates.set(operand.reg);
}

// The address of global memory is 64 bits wide: in a register pair, unless a uniform pair holds its base.
void add_address(RegisterSet& reads, const Operand& address, bool global) {
  const bool has_uniform = address.uniform != zero_uniform_register;
  const bool pair = global && (address.width == AddressWidth::bits_64 || !has_uniform);
  add_general(reads, address.reg, pair ? 2 : 1);
  add_uniform(reads, address.uniform, global ? 2 : 1);
  add_uniform(reads, address.descriptor, 2);
}

// P2R and R2P: the predicates that the mask in the last operand selects.
void add_all_predicates(RegisterSet& set, const Instruction& i) {
  const Operand& mask = i.operands.back();
  const std::uint64_t chosen = mask.kind == OperandKind::integer ? static_cast<std::uint64_t>(mask.value) : 0x7f;
  for (unsigned p = 0; p < true_predicate; ++p)
    if ((chosen >> p & 1) != 0) set.predicates.set(p);
}

}  // namespace

RegisterUse register_use(const Instruction& i) {
  RegisterUse use;
  const OpcodeRow& row = row_of(i.opcode);
  if (i.guard.reg == true_predicate && i.guard.negate) return use;
  use.always = i.guard.reg == true_predicate;
  add_predicate(use.reads, i.guard);
  bool shared_part = i.opcode == Opcode::ldgsts;  // LDGSTS: first the address in shared memory
  for (std::size_t o = 0; o < i.operands.size(); ++o) {
    const Operand& operand = i.operands[o];
    RegisterSet& set = operand.written ? use.writes : use.reads;
    switch (operand.kind) {
      case OperandKind::reg: add_general(set, operand.reg, register_count(i, o)); break;
      case OperandKind::uniform_reg:
      case OperandKind::matrix_descriptor: add_uniform(set, operand.reg, register_count(i, o)); break;
      case OperandKind::predicate:
      case OperandKind::uniform_predicate: add_predicate(set, operand); break;
      case OperandKind::predicates: add_all_predicates(set, i); break;
      case OperandKind::constant:
        if (operand.indexed) add_general(use.reads, operand.reg, 1);
        add_uniform(use.reads, operand.uniform, operand.bindless ? 2 : 1);
        break;
      case OperandKind::address:
        if (row.registers == RegisterRule::texture) add_general(use.reads, operand.reg, register_count(i, o));
        add_address(use.reads, operand,
                    row.address == AddressRange::global || (i.opcode == Opcode::ldgsts && !shared_part));
        shared_part = false;
        break;
      default: break;
    }
  }
  return use;
}

}  // namespace warpwalk::sass
