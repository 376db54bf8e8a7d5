#include <algorithm>

#include "core/gpu/alu/machine/machine.h"
#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/memory/launch_banks.h"

namespace warpwalk::gpu {

using sass::Operand;
using sass::OperandKind;

namespace {

bool is_immediate(const Operand& o) {
  switch (o.kind) {
    case OperandKind::integer:
    case OperandKind::f32:
    case OperandKind::f64_high:
    case OperandKind::f16_pair:
    case OperandKind::bf16_pair: return true;
    default: return false;
  }
}

}  // namespace

const Operand& MachineCodeLowering::operand(std::size_t index) const {
  if (index >= i_->operands.size()) refuse("has too few operands");
  return i_->operands[index];
}

const Operand* MachineCodeLowering::find(OperandKind kind) const {
  const auto found = std::ranges::find(i_->operands, kind, &Operand::kind);
  return found == i_->operands.end() ? nullptr : &*found;
}

std::vector<const Operand*> MachineCodeLowering::sources() const {
  std::vector<const Operand*> found;
  for (const Operand& o : i_->operands)
    if (!o.written) found.push_back(&o);
  return found;
}

std::vector<const Operand*> MachineCodeLowering::destinations() const {
  std::vector<const Operand*> found;
  for (const Operand& o : i_->operands)
    if (o.written) found.push_back(&o);
  return found;
}

Slot MachineCodeLowering::constant(std::uint64_t value, int bytes) { return program_.constant_slot(value, bytes); }

Slot MachineCodeLowering::bank_value(const Operand& o, int bytes) {
  if (o.bindless || o.indexed) refuse("reads a constant through a register, which only LDC and ULDC can do here");
  MachineCode& code = *program_.machine_code;
  const ConstantBank* const bank = code.bank(o.bank);
  const auto offset = static_cast<std::uint32_t>(o.value);
  if (bank == nullptr || o.value < 0 || offset + static_cast<std::uint32_t>(bytes) > bank->bytes.size())
    refuse("reads a constant that the cubin does not have");
  if (o.bank == 0 && offset >= code.parameter_base + program_.parameter_bytes &&
      std::ranges::find(code.handles, offset, &HandlePlace::offset) == code.handles.end())
    refuse("reads a constant behind the parameters, such as the handle of a sampler variable, which is not supported");
  if (o.bank == 0) see_launch_constant(offset, static_cast<std::uint32_t>(bytes));
  for (const BankValue& known : code.bank_values) {
    if (known.bank == o.bank && known.offset == offset && known.bytes == static_cast<std::uint32_t>(bytes))
      return Slot::at(SlotSpace::bank, known.slot);
  }
  const std::uint32_t slot = code.bank_value_bytes;
  code.bank_values.push_back({o.bank, offset, static_cast<std::uint32_t>(bytes), slot});
  code.bank_value_bytes += static_cast<std::uint32_t>(lanes_per_warp * bytes);
  return Slot::at(SlotSpace::bank, slot);
}

/// Notes what a constant of bank 0 in front of the parameters is for. Since sm_100, refuses those whose meaning is not
/// known.
void MachineCodeLowering::see_launch_constant(std::uint32_t offset, std::uint32_t bytes) {
  const auto reserved = architecture_ >= sass::Architecture::sm_100  ? blackwell_reserved_shared_constant
                        : architecture_ >= sass::Architecture::sm_90 ? reserved_shared_constant
                                                                     : older_reserved_shared_constant;
  if (offset == reserved) program_.uses_reserved_shared = true;
  if (architecture_ >= sass::Architecture::sm_100 && offset < program_.machine_code->parameter_base &&
      !is_known_blackwell_constant(offset, bytes))
    refuse("reads a constant of the launch whose meaning is not known");
}

Slot MachineCodeLowering::part(const Operand& o, unsigned n) const {
  return o.kind == OperandKind::uniform_reg ? uniform_reg(o.reg + n) : reg(o.reg + n);
}

Slot MachineCodeLowering::word(const Operand& o) {
  if (is_zero(o)) return constant(0, 4);
  if (is_immediate(o)) return constant(static_cast<std::uint64_t>(o.value), 4);
  if (o.kind == OperandKind::constant) return bank_value(o, 4);
  if (o.kind != OperandKind::reg && o.kind != OperandKind::uniform_reg) refuse("has an operand of an unknown kind");
  return part(o, 0);
}

Slot MachineCodeLowering::wide(const Operand& o) {
  if (is_zero(o)) return constant(0, 8);
  if (o.kind == OperandKind::f64_high) return constant(static_cast<std::uint64_t>(o.value) << 32, 8);
  if (is_immediate(o)) return constant(static_cast<std::uint64_t>(o.value), 8);
  if (o.kind == OperandKind::constant) return bank_value(o, 8);
  return compute(machine::join(), part(o, 0), part(o, 1));
}

Slot MachineCodeLowering::f32(const Operand& o) {
  const Slot plain = word(o);
  return o.negate || o.absolute ? compute(machine::modified_f32(o.negate, o.absolute), plain) : plain;
}

Slot MachineCodeLowering::f64(const Operand& o) {
  const Slot plain = wide(o);
  return o.negate || o.absolute ? compute(machine::modified_f64(o.negate, o.absolute), plain) : plain;
}

Slot MachineCodeLowering::halves(const Operand& o) {
  machine::Halves which = machine::Halves::both;
  if (o.suffix == sass::Word::h0_h0) which = machine::Halves::low;
  if (o.suffix == sass::Word::h1_h1) which = machine::Halves::high;
  if (o.suffix == sass::Word::f32) refuse("reads an f32 constant as halves, which is not supported");
  const Slot plain = word(o);
  if (which == machine::Halves::both && !o.negate && !o.absolute) return plain;
  return compute(machine::modified_halves(which, o.negate, o.absolute), plain);
}

Slot MachineCodeLowering::inverted_word(const Operand& o) {
  const Slot plain = word(o);
  return o.invert ? compute(machine::complement(), plain) : plain;
}

Slot MachineCodeLowering::destination(const Operand& o) const {
  return is_zero(o) ? Slot::at(SlotSpace::frame, sink_offset_) : part(o, 0);
}

bool MachineCodeLowering::is_zero(const Operand& o) {
  return (o.kind == OperandKind::reg && o.reg == sass::zero_register) ||
         (o.kind == OperandKind::uniform_reg && o.reg == sass::zero_uniform_register);
}
bool MachineCodeLowering::is_true(const Operand& o) const { return o.reg == sass::true_predicate && !o.negate; }
bool MachineCodeLowering::is_false(const Operand& o) const { return o.reg == sass::true_predicate && o.negate; }

std::int32_t MachineCodeLowering::predicate_out(const Operand& o) const {
  return o.reg == sass::true_predicate ? -1 : predicate_slot(o);
}

PredicateSource MachineCodeLowering::predicate_in(const Operand& o) const {
  if (o.reg == sass::true_predicate) return {static_cast<std::int32_t>(never_offset_), !o.negate};
  return {predicate_slot(o), o.negate};
}

}  // namespace warpwalk::gpu
