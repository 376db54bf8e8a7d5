#include "core/gpu/exec/uses.h"

namespace warpwalk::gpu {

namespace {

using ptx::Operand;
using ptx::OperandKind;

void collect(const Operand& o, bool written, Uses& uses) {
  if (o.kind == OperandKind::reg) (written && !o.address ? uses.writes : uses.reads).push_back(o.index);
  for (const Operand& element : o.elements) collect(element, written, uses);
}

}  // namespace

bool has_destination(const ptx::Instruction& i) {
  using ptx::Opcode;
  switch (i.opcode) {
    case Opcode::st:
    case Opcode::sust_b:
    case Opcode::sust_p:
    case Opcode::sured_b:
    case Opcode::red:
    case Opcode::bra:
    case Opcode::brx_idx:
    case Opcode::ret:
    case Opcode::exit:
    case Opcode::bar_warp:
    case Opcode::cp_async:
    case Opcode::cp_async_bulk:
    case Opcode::cp_async_bulk_prefetch:
    case Opcode::cp_async_bulk_tensor:
    case Opcode::cp_async_bulk_prefetch_tensor:
    case Opcode::cp_reduce_async_bulk:
    case Opcode::cp_reduce_async_bulk_tensor:
    case Opcode::tensormap_replace:
    case Opcode::tensormap_cp_fenceproxy:
    case Opcode::st_async:
    case Opcode::red_async:
    case Opcode::stmatrix:
    case Opcode::wmma_store_d:
    case Opcode::stackrestore:
    case Opcode::trap:
    case Opcode::nanosleep:
    case Opcode::call: return false;
    case Opcode::bar:
    case Opcode::barrier: return i.has(ptx::Modifier::red);
    default: return true;
  }
}

Uses uses_of(const ptx::Instruction& i) {
  Uses uses;
  for (std::size_t k = 0; k < i.operands.size(); ++k) collect(i.operands[k], k == 0 && has_destination(i), uses);
  // D is also C.
  if (i.opcode == ptx::Opcode::wgmma_mma_async)
    uses.reads.insert(uses.reads.end(), uses.writes.begin(), uses.writes.end());
  if (i.guard >= 0) {
    uses.reads.push_back(i.guard);
    // Lanes whose predicate is false keep the old value, so a predicated write also counts as a read.
    uses.reads.insert(uses.reads.end(), uses.writes.begin(), uses.writes.end());
  }
  return uses;
}

Uses uses_of_address(const ptx::Instruction& i) {
  Uses uses;
  if (!i.operands.empty()) collect(i.operands[0], false, uses);
  return uses;
}

}  // namespace warpwalk::gpu
