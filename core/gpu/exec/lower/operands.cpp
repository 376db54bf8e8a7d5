#include <cstring>

#include <fmt/format.h>

#include "core/gpu/exec/lower/lowering.h"
#include "core/gpu/exec/machine/handlers.h"

namespace warpwalk::gpu {

using ptx::Operand;
using ptx::OperandKind;

void FunctionLowering::refuse(const ptx::Instruction& i, std::string why) const { throw Refusal{&i, std::move(why)}; }

const Operand& FunctionLowering::operand(const ptx::Instruction& i, std::size_t index) const {
  if (index >= i.operands.size()) refuse(i, "has too few operands");
  return i.operands[index];
}

int FunctionLowering::register_bytes(const Operand& o, const ptx::Instruction& i) const {
  if (o.kind != OperandKind::reg) refuse(i, "needs a register here");
  const int bytes = ptx::bytes_of(source_.registers[static_cast<std::size_t>(o.index)].type);
  return bytes == 1 ? 2 : bytes;
}

bool FunctionLowering::is_predicate(const Operand& o) const {
  return o.kind == OperandKind::reg && source_.registers[static_cast<std::size_t>(o.index)].type == ptx::Type::pred;
}

std::int32_t FunctionLowering::predicate(const Operand& o, const ptx::Instruction& i) {
  if (o.kind == OperandKind::discard) return -1;
  if (!is_predicate(o)) refuse(i, "needs a predicate register here");
  return static_cast<std::int32_t>(program_.functions[index_].register_offsets[static_cast<std::size_t>(o.index)]);
}

std::int32_t FunctionLowering::constant_predicate(bool value, const ptx::Instruction& i) {
  Op& op = emit(handlers::predicate_logic, i);
  op.p_out = static_cast<std::int32_t>(program_.functions[index_].scratch);
  op.immediate = value ? 0b1111 : 0;
  return op.p_out;
}

Slot FunctionLowering::destination(const Operand& o, const ptx::Instruction& i) const {
  if (o.kind != OperandKind::reg) refuse(i, "needs a register for its result");
  return Slot::at(SlotSpace::frame, program_.functions[index_].register_offsets[static_cast<std::size_t>(o.index)]);
}

Slot FunctionLowering::constant(std::uint64_t value, int bytes) { return program_.constant_slot(value, bytes); }

Slot FunctionLowering::special(ptx::Special which, const ptx::Instruction& i) {
  switch (which) {
    case ptx::Special::clock:
    case ptx::Special::clock_hi:
    case ptx::Special::clock64:
    case ptx::Special::globaltimer:
    case ptx::Special::globaltimer_lo:
    case ptx::Special::globaltimer_hi: refuse(i, "reads a clock register; only mov supports that");
    case ptx::Special::smid: program_.reads_smid = true; break;
    case ptx::Special::reserved_smem_offset_1: program_.uses_reserved_shared = true; break;
    case ptx::Special::reserved_smem_offset_begin:
    case ptx::Special::reserved_smem_offset_end:
    case ptx::Special::reserved_smem_offset_cap:
    case ptx::Special::reserved_smem_offset_0:
    case ptx::Special::current_graph_exec:
      refuse(i, fmt::format("reads {}, which is not supported by the simulated GPU", ptx::name_of(which)));
    default: break;
  }
  for (const auto& [known, offset] : program_.specials) {
    if (known == which) return Slot::at(SlotSpace::special, offset);
  }
  const std::uint32_t offset = program_.special_bytes;
  program_.special_bytes += lanes_per_warp * 4;
  program_.specials.emplace_back(which, offset);
  return Slot::at(SlotSpace::special, offset);
}

std::uint32_t FunctionLowering::stack_offset(const Operand& o) const {
  const Function& function = program_.functions[index_];
  const auto index = static_cast<std::size_t>(o.index);
  if (o.kind == OperandKind::local_variable) return function.variable_offsets[index];
  return o.returns ? function.return_offsets[index] : function.parameter_offsets[index];
}

std::uint64_t FunctionLowering::address_of(const Operand& o, bool& on_stack, const ptx::Instruction& i) const {
  on_stack = false;
  const auto index = static_cast<std::size_t>(o.index);
  const auto offset = static_cast<std::uint64_t>(o.offset);
  switch (o.kind) {
    case OperandKind::immediate: return o.bits + offset;
    case OperandKind::variable: return program_.variable_addresses[index] + offset;
    case OperandKind::function: return function_base + 16 * index;
    case OperandKind::local_variable:
      if (source_.variables[index].space == ptx::Space::shared) {
        return program_.functions[index_].variable_offsets[index] + offset;
      }
      on_stack = true;
      return stack_offset(o) + offset;
    case OperandKind::parameter:
      if (source_.is_entry) return parameter_base + program_.parameter_offsets[index] + offset;
      on_stack = true;
      return stack_offset(o) + offset;
    default: refuse(i, "needs an address here");
  }
}

bool FunctionLowering::names_shared_variable(const Operand& o) const {
  const auto index = static_cast<std::size_t>(o.index);
  if (o.kind == OperandKind::variable) return program_.module->variables[index].space == ptx::Space::shared;
  return o.kind == OperandKind::local_variable && source_.variables[index].space == ptx::Space::shared;
}

Slot FunctionLowering::source(const Operand& o, int bytes, ptx::Type type, const ptx::Instruction& i) {
  switch (o.kind) {
    case OperandKind::reg: return destination(o, i);
    case OperandKind::special:
      if (bytes != 4)
        refuse(i, fmt::format("reads {} as a {}-byte value; only 4-byte values are supported", ptx::name_of(o.special),
                              bytes));
      return special(o.special, i);
    case OperandKind::immediate: {
      std::uint64_t bits = o.bits;
      if (o.literal == ptx::Literal::f64 && bytes == 4) {
        double value = 0;
        std::memcpy(&value, &bits, 8);
        const auto narrow = static_cast<float>(value);
        bits = 0;
        std::memcpy(&bits, &narrow, 4);
      } else if (o.literal == ptx::Literal::f32 && bytes == 8 && ptx::is_float(type)) {
        float value = 0;
        std::memcpy(&value, &bits, 4);
        const double wide = value;
        std::memcpy(&bits, &wide, 8);
      }
      return constant(bits, bytes);
    }
    default: {
      bool on_stack = false;
      const std::uint64_t address = address_of(o, on_stack, i);
      if (on_stack) refuse(i, "uses the address of a variable on the thread's stack; only mov supports that");
      return constant(address, bytes);
    }
  }
}

}  // namespace warpwalk::gpu
