#include <algorithm>
#include <cstring>

#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/lower_sass/system_functions.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"

namespace warpwalk::gpu {

using sass::Opcode;
using sass::Operand;
using sass::OperandKind;
using sass::Word;

/// CALL and RET. A relative target is an address of the image, or is added to the address in a register pair; an
/// absolute one counts from address 0 of the GPU's memory.
void MachineCodeLowering::lower_call() {
  use_condition();
  const Operand* const target = find(OperandKind::target);
  const Operand* const from = find(OperandKind::reg);
  if (target == nullptr) refuse();
  const auto go_to = [&](std::uint64_t address) {
    emit(handlers::branch);
    targets_.push_back({static_cast<std::uint32_t>(program_.ops.size() - 1), address});
  };
  const auto jump = [&](Handler handler, std::uint64_t offset) {
    const Slot base = wide(*from);
    Op& op = emit(handler);
    op.a = base;
    op.immediate = offset;
  };
  const auto offset = static_cast<std::uint64_t>(target->value);
  if (!has(Word::abs)) return from == nullptr ? go_to(offset) : jump(handlers::jump, offset);
  if (i_->opcode == Opcode::ret) return jump(handlers::jump, offset - code_base);
  std::string_view name;
  if (const auto named = image_.callees.find(i_->address); named != image_.callees.end()) {
    name = named->second;
    if (const auto own = image_.functions.find(name); own != image_.functions.end()) return go_to(own->second);
  } else if (from != nullptr) {
    name = system_function_called_by(*from);
  }
  if (!name.empty()) return lower_system_call(name);
  if (from == nullptr) refuse("to an address that is not known is not supported");
  skip_where_guard_fails();
  jump(handlers::call_address, offset);
  // Whichever function is called, the blocks print and allocate in order.
  program_.needs_block_order = true;
}

void MachineCodeLowering::lower_system_call(std::string_view name) {
  if (lower_gradient_fetch(name)) return;
  const SystemFunction function = program_.machine_code->system_functions[system_function(program_, name)];
  if (function.run == nullptr)
    refuse("of `" + std::string(name) +
           "` is not supported; the simulated GPU supports only printf, assert, malloc and free of the device runtime");
  if (function.run == handlers::print || handlers::uses_heap(function.run)) program_.needs_block_order = true;
  skip_where_guard_fails();
  Op& op = emit(function.run);
  op.table_index = function.call;
}

/// The system function that a register pair points to, if the code shows it: the compiler loads its address from the
/// table in constant bank 4.
std::string_view MachineCodeLowering::system_function_called_by(const Operand& pointer) const {
  for (std::size_t at = index_; at-- > 0 && leads_[at + 1] == 0;) {
    const sass::Instruction& i = code_[at];
    if (i.operands.empty() || !i.operands[0].written || i.operands[0].kind != OperandKind::reg ||
        (i.operands[0].reg & ~1) != (pointer.reg & ~1))
      continue;
    if (i.opcode != Opcode::ldc || i.operands.size() < 2 || !i.has(Word::n64) || i.operands[0].reg != pointer.reg)
      return {};
    const Operand& place = i.operands[1];
    std::optional<std::uint32_t> index = 0;
    if (place.indexed && place.reg != sass::zero_register) index = known_word(place.reg, at);
    const ConstantBank* const bank = program_.machine_code->bank(place.bank);
    if (!index || bank == nullptr || place.bindless) return {};
    const std::uint64_t offset = static_cast<std::uint64_t>(place.value) + *index;
    std::uint64_t address = 0;
    if (offset + 8 > bank->bytes.size()) return {};
    std::memcpy(&address, bank->bytes.data() + offset, sizeof address);
    const auto& known = program_.machine_code->system_functions;
    const std::uint64_t number = (address - system_function_base) / 16;
    return address >= system_function_base && number < known.size() ? std::string_view(known[number].name)
                                                                    : std::string_view();
  }
  return {};
}

/// The value of a register before an instruction, if the same basic block sets it to an immediate.
std::optional<std::uint32_t> MachineCodeLowering::known_word(unsigned reg, std::size_t before) const {
  for (std::size_t at = before; at-- > 0 && leads_[at + 1] == 0;) {
    const sass::Instruction& i = code_[at];
    const bool writes = std::ranges::any_of(
        i.operands, [&](const Operand& o) { return o.written && o.kind == OperandKind::reg && o.reg == reg; });
    if (!writes) continue;
    const bool guarded = i.guard.reg != sass::true_predicate;
    // MOV R, x; IMAD R, RZ, RZ, x; HFMA2 R, -RZ, RZ, x
    const std::size_t place = i.opcode == Opcode::mov ? 1 : 3;
    const bool adds = i.opcode == Opcode::imad || i.opcode == Opcode::hfma2;
    if (guarded || (i.opcode != Opcode::mov && !adds) || i.operands.size() <= place) return {};
    for (std::size_t k = 1; k < place; ++k)
      if (i.operands[k].kind != OperandKind::reg || i.operands[k].reg != sass::zero_register) return {};
    const Operand& value = i.operands[place];
    if (value.kind == OperandKind::reg && value.reg == sass::zero_register) return 0;
    if (value.kind != OperandKind::integer && value.kind != OperandKind::f16_pair) return {};
    return static_cast<std::uint32_t>(value.value);
  }
  return {};
}

}  // namespace warpwalk::gpu
