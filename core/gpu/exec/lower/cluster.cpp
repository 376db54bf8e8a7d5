#include "core/gpu/exec/lower/lowering.h"
#include "core/gpu/exec/machine/handlers.h"

namespace warpwalk::gpu {

using ptx::Modifier;
using ptx::Opcode;

/// barrier.cluster.arrive and barrier.cluster.wait.
void FunctionLowering::lower_cluster_barrier(const ptx::Instruction& i) {
  program_.uses_clusters = true;
  Op& op = emit(i.has(Modifier::arrive) ? handlers::cluster_arrive : handlers::cluster_wait, i);
  op.immediate = i.has(Modifier::relaxed) ? 1 : 0;
}

/// mapa and getctarank. The rank of a block is in the same bits of generic addresses and of those in the shared window.
void FunctionLowering::lower_cluster_address(const ptx::Instruction& i) {
  program_.uses_clusters = true;
  const ptx::Operand& from = operand(i, 1);
  const int bytes = ptx::bytes_of(i.type());
  const bool named = names_shared_variable(from);
  if (named && (i.opcode == Opcode::getctarank || !i.has(Modifier::shared_cluster)))
    refuse(i, "of a variable's name is not supported; move its address to a register first");
  const Slot a = source(from, bytes, i.type(), i);
  Op& op = emit(i.opcode == Opcode::mapa ? handlers::map_to_block : handlers::rank_of_address, i);
  op.d = destination(operand(i, 0), i);
  op.a = a;
  op.bytes = static_cast<std::uint8_t>(bytes);
  if (i.opcode == Opcode::mapa) op.b = source(operand(i, 2), 4, ptx::Type::u32, i);
}

}  // namespace warpwalk::gpu
