#include <algorithm>
#include <utility>

#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/sass/analysis/register_use.h"

namespace warpwalk::gpu {

using sass::Operand;
using sass::OperandKind;

namespace {

constexpr std::uint32_t word_bytes = lanes_per_warp * 4;
constexpr unsigned scratch_count = 24, scratch_predicate_count = 8;
constexpr std::uint32_t predicate_count = 7;
constexpr unsigned convergence_registers = 16;
constexpr unsigned widest = 4;                   // registers of a vector of 128 bits
constexpr unsigned widest_uniform = 8;           // registers of the operands of a tensor copy
constexpr unsigned argument_registers_end = 16;  // calls of system functions pass arguments in R4 to R13

}  // namespace

void MachineCodeLowering::lay_out_frame() {
  unsigned last = 0, last_uniform = 0, last_convergence = 0;
  const auto see = [](unsigned& known, unsigned number, unsigned count, unsigned none) {
    if (number != none) known = std::max(known, number + count);
  };
  for (const sass::Instruction& i : code_) {
    for (std::size_t n = 0; n < i.operands.size(); ++n) {
      const Operand& o = i.operands[n];
      if (o.kind == OperandKind::reg)
        see(last, o.reg, std::max(widest, sass::register_count(i, n)), sass::zero_register);
      if (o.kind == OperandKind::address || o.kind == OperandKind::constant)
        see(last, o.reg, widest, sass::zero_register);
      if (o.kind == OperandKind::uniform_reg || o.kind == OperandKind::matrix_descriptor)
        see(last_uniform, o.reg, widest, sass::zero_uniform_register);
      see(last_uniform, o.uniform, widest_uniform, sass::zero_uniform_register);
      if (o.kind == OperandKind::barrier && o.reg < convergence_registers)
        last_convergence = std::max(last_convergence, o.reg + 1U);
    }
  }
  if (!program_.machine_code->system_functions.empty()) last = std::max(last, argument_registers_end);
  registers_ = std::min(last, 255U);
  uniform_registers_ = std::min(last_uniform, 255U);
  std::uint32_t frame = 0;
  const auto take = [&frame](std::uint32_t bytes) { return std::exchange(frame, (frame + bytes + 63) / 64 * 64); };
  MachineFrame& at = program_.machine_code->frame;
  sink_offset_ = take(2 * word_bytes);
  at.general = take(registers_ * word_bytes);
  at.uniform = take(uniform_registers_ * word_bytes);
  at.convergence = take(last_convergence * word_bytes);
  barrier_result_offset_ = take(word_bytes);
  at.predicates = take(4 * predicate_count);
  at.uniform_predicates = take(4 * predicate_count);
  never_offset_ = take(4);
  barrier_predicate_offset_ = take(4);
  scratch_predicate_offset_ = take(4 * scratch_predicate_count);
  // At the end, because only lowering shows how much of it is needed. Every warp clears its frame when it starts.
  scratch_offset_ = frame;
  program_.functions.front().scratch = scratch_offset_;
  program_.functions.front().frame_bytes = frame;
}

Slot MachineCodeLowering::reg(unsigned number) const {
  if (number >= registers_) refuse("uses a register past the last one");
  return Slot::at(SlotSpace::frame, program_.machine_code->frame.general + number * word_bytes);
}

Slot MachineCodeLowering::uniform_reg(unsigned number) const {
  if (number >= uniform_registers_) refuse("uses a uniform register past the last one");
  return Slot::at(SlotSpace::frame, program_.machine_code->frame.uniform + number * word_bytes);
}

std::int32_t MachineCodeLowering::predicate_slot(const Operand& o) const {
  const MachineFrame& at = program_.machine_code->frame;
  const std::uint32_t base = o.kind == OperandKind::uniform_predicate ? at.uniform_predicates : at.predicates;
  return static_cast<std::int32_t>(base + 4U * o.reg);
}

Slot MachineCodeLowering::convergence_register(const Operand& o) const {
  return Slot::at(SlotSpace::frame, program_.machine_code->frame.convergence + o.reg * word_bytes);
}

Slot MachineCodeLowering::scratch() {
  if (scratch_used_ == scratch_count) refuse("has too many operands");
  const std::uint32_t offset = scratch_offset_ + 2 * word_bytes * scratch_used_++;
  Function& function = program_.functions.front();
  function.frame_bytes = std::max(function.frame_bytes, offset + 2 * word_bytes);
  return Slot::at(SlotSpace::frame, offset);
}

std::int32_t MachineCodeLowering::scratch_predicate() {
  if (scratch_predicates_used_ == scratch_predicate_count) refuse("has too many predicates");
  return static_cast<std::int32_t>(scratch_predicate_offset_ + 4 * scratch_predicates_used_++);
}

}  // namespace warpwalk::gpu
