#include "core/gpu/exec/check/product_registers.h"

#include <fmt/format.h>

#include "core/gpu/exec/check/finding_text.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"

namespace warpwalk::gpu {

namespace {

/// Where a register of the op's function is in Warp::registers.
std::size_t register_place(const Machine& m, const Op& op, std::int32_t index) {
  return m.split->frame + m.program.functions[op.function].register_offsets[static_cast<std::size_t>(index)];
}

/// The registers that may hold a part of A; D may be the result of a product in progress.
Uses uses_of_product(const ptx::Instruction& instruction) {
  Uses uses;
  const ptx::Operand& a = instruction.operands[1];
  for (const ptx::Operand& part : a.elements)
    if (part.kind == ptx::OperandKind::reg) uses.reads.push_back(part.index);
  return uses;
}

}  // namespace

const Uses& ProductRegisters::uses(const Machine& m, std::uint32_t instruction) {
  const auto [found, fresh] = uses_.try_emplace(instruction);
  if (!fresh) return found->second;
  const ptx::Instruction& of = *m.program.sources[instruction].instruction;
  found->second = of.opcode == ptx::Opcode::wgmma_mma_async ? uses_of_product(of) : uses_of(of);
  return found->second;
}

void ProductRegisters::before(Machine& m, const Op& op) {
  auto& in_progress = m.warp->product_registers;
  if (in_progress.empty() || op.instruction == no_index) return;
  // An instruction may have several ops.
  const std::uint32_t at = m.pc_of(op);
  if (at != 0 && m.program.ops[at - 1].instruction == op.instruction) return;
  const ptx::Instruction& instruction = *m.program.sources[op.instruction].instruction;
  const Uses& used = uses(m, op.instruction);
  std::optional<ProductRegister> read;
  for (const std::int32_t index : used.reads)
    if (const auto found = in_progress.find(register_place(m, op, index)); found != in_progress.end())
      read = found->second;
  const bool moves = instruction.opcode == ptx::Opcode::mov;
  for (const std::int32_t index : used.writes) {
    const std::size_t place = register_place(m, op, index);
    if (moves && read)
      in_progress[place] = *read;
    else
      in_progress.erase(place);
  }
  if (!read || moves) return;
  const std::uint32_t lanes = m.executing_lanes(op);
  if (lanes == 0) return;
  m.report_thread(FindingKind::shared_race, op.instruction, m.thread_of(std::countr_zero(lanes)),
                  fmt::format("reads a register that the wgmma of its warp group at {} may still be writing: wait for "
                              "it with wgmma.commit_group and wgmma.wait_group first",
                              place_of(m.program, read->instruction)),
                  {}, read->instruction, static_cast<std::uint64_t>(std::popcount(lanes)));
}

void ProductRegisters::issue(Machine& m, const Op& op) {
  for (const Slot d : m.program.group_products[op.table_index].d)
    if (d.space() == static_cast<std::uint32_t>(SlotSpace::frame))
      m.warp->product_registers[m.split->frame + d.offset()] = {m.warp->group_commits + 1, op.instruction};
}

void ProductRegisters::complete(Machine& m, std::uint32_t batch) {
  std::erase_if(m.warp->product_registers,
                [&](const auto& one) { return static_cast<std::int32_t>(batch - one.second.batch) >= 0; });
}

}  // namespace warpwalk::gpu
