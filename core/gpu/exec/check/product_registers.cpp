#include "core/gpu/exec/check/product_registers.h"

#include <bit>
#include <optional>
#include <vector>

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
  if (op.instruction == no_index) return;
  // An instruction may have several ops.
  const std::uint32_t at = m.pc_of(op);
  if (at != 0 && m.program.ops[at - 1].instruction == op.instruction) return;
  const ptx::Instruction& instruction = *m.program.sources[op.instruction].instruction;
  const Uses& used = uses(m, op.instruction);
  const bool moves = instruction.opcode == ptx::Opcode::mov;
  auto& in_progress = m.warp->product_registers;
  auto& unfenced = m.warp->unfenced_registers;
  std::optional<ProductRegister> read;
  std::optional<std::uint32_t> written;
  for (const std::int32_t index : used.reads) {
    const std::size_t place = register_place(m, op, index);
    if (const auto found = in_progress.find(place); found != in_progress.end()) read = found->second;
    if (!moves) continue;
    if (const auto found = unfenced.find(place); found != unfenced.end()) written = found->second;
  }
  if (!moves || used.reads.empty()) written = op.instruction;
  for (const std::int32_t index : used.writes) {
    const std::size_t place = register_place(m, op, index);
    if (moves && read)
      in_progress[place] = *read;
    else
      in_progress.erase(place);
    if (written)
      unfenced[place] = *written;
    else
      unfenced.erase(place);
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

void ProductRegisters::fence(Machine& m) {
  m.warp->unfenced_registers.clear();
  m.warp->fenced_since_wait = true;
}

void ProductRegisters::issue(Machine& m, const Op& op) {
  const GroupProduct& product = m.program.group_products[op.table_index];
  const auto in_frame = [](Slot slot) { return slot.space() == static_cast<std::uint32_t>(SlotSpace::frame); };
  const bool adds = op.p_in < 0 || ((m.predicate(op.p_in) & 1) != 0) != op.p_in_negated;
  std::uint32_t written = no_index;
  const auto check = [&](const std::vector<Slot>& registers) {
    for (const Slot slot : registers) {
      const auto found = m.warp->unfenced_registers.find(m.split->frame + slot.offset());
      if (in_frame(slot) && found != m.warp->unfenced_registers.end()) written = found->second;
    }
  };
  check(product.a);
  if (adds) check(product.c);
  // Compilers move the computation of registers behind the fence of the source, so any fence will do.
  if (written != no_index && !m.warp->fenced_since_wait) {
    m.report_thread(FindingKind::shared_race, op.instruction, m.warp->id * 32,
                    fmt::format("issues a wgmma that reads registers which its warp writes at {}: the warp needs a "
                                "wgmma.fence between the two",
                                place_of(m.program, written)),
                    {}, written);
  }
  for (const Slot d : product.d) {
    if (!in_frame(d)) continue;
    m.warp->unfenced_registers.erase(m.split->frame + d.offset());
    m.warp->product_registers[m.split->frame + d.offset()] = {m.warp->group_commits + 1, op.instruction};
  }
}

void ProductRegisters::complete(Machine& m, std::uint32_t batch) {
  std::erase_if(m.warp->product_registers,
                [&](const auto& one) { return static_cast<std::int32_t>(batch - one.second.batch) >= 0; });
}

}  // namespace warpwalk::gpu
