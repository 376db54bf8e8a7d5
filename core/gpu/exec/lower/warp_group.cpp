#include "core/gpu/exec/lower/lowering.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"

namespace warpwalk::gpu {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;

namespace {

constexpr std::size_t descriptor_word_bytes = 4;
constexpr std::uint64_t minus_one = ~std::uint64_t{0};

}  // namespace

/// wgmma.mma_async d, a, b-descriptor, scale-d, scale-a, scale-b, transpose-a, transpose-b. The type decides which of
/// the last four there are; A in registers has no transpose-a.
void FunctionLowering::lower_group_product(const ptx::Instruction& i) {
  GroupProduct product;
  GroupMma& mma = product.mma;
  mma.columns = i.columns();
  mma.d_type = i.type(0);
  mma.a_type = i.type(1);
  mma.b_type = i.type(2);
  mma.saturates = i.has(Modifier::satfinite);
  const Operand &d = operand(i, 0), &a = operand(i, 1), &adds = operand(i, 3);
  for (const Operand& part : d.elements) product.d.push_back(destination(part, i));
  for (const Operand& part : a.elements) product.a.push_back(source(part, 4, ptx::Type::b32, i));
  // A descriptor is the same in all lanes. Its 64 bits are the first two words of the slot.
  const auto describe = [&](const Operand& o, std::size_t first) {
    const Slot slot = source(o, 8, ptx::Type::b64, i);
    product.descriptors[first] = slot;
    product.descriptors[first + 1] =
        Slot::at(static_cast<SlotSpace>(slot.space()), slot.offset() + descriptor_word_bytes);
  };
  if (product.a.empty()) describe(a, 0);
  describe(operand(i, 2), 2);
  if (i.operands.size() > 5) {
    mma.negates_a = operand(i, 4).bits == minus_one;
    mma.negates_b = operand(i, 5).bits == minus_one;
  }
  if (i.operands.size() > 6) {
    product.transposes_b = i.operands.back().bits != 0;
    product.transposes_a = i.operands.size() > 7 && operand(i, 6).bits != 0;
  }
  const bool constant_scale = adds.kind == OperandKind::immediate;
  if (!constant_scale || adds.bits != 0) product.c = product.d;
  Op& op = emit(handlers::multiply_warp_group, i);
  if (!constant_scale) {
    op.p_in = predicate(adds, i);
    op.p_in_negated = adds.negated;
  }
  op.table_index = static_cast<std::uint32_t>(program_.group_products.size());
  program_.group_products.push_back(std::move(product));
}

/// wgmma.fence, commit_group and wait_group.
void FunctionLowering::lower_warp_group(const ptx::Instruction& i) {
  if (i.opcode == Opcode::wgmma_commit_group) {
    emit(handlers::commit_group_products, i);
    return;
  }
  if (i.opcode == Opcode::wgmma_wait_group) {
    emit(handlers::wait_for_group_products, i).immediate = operand(i, 0).bits;
    return;
  }
  // A product waits until all warps of the group have arrived.
  const auto& all = source_.instructions;
  auto next = static_cast<std::size_t>(&i - all.data()) + 1;
  while (next < all.size() && all[next].opcode != Opcode::wgmma_fence && all[next].opcode != Opcode::wgmma_mma_async)
    ++next;
  const bool waits = next < all.size() && all[next].opcode == Opcode::wgmma_mma_async;
  emit(handlers::arrive_at_warp_group, i).immediate = waits ? 1 : 0;
}

}  // namespace warpwalk::gpu
