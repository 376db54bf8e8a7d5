#include "core/gpu/exec/lower/contraction.h"

#include <algorithm>

namespace warpwalk::gpu {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

bool can_fuse(const ptx::Instruction& i) {
  const Type type = i.type();
  const bool floats = type == Type::f32 || type == Type::f64 || type == Type::f16 || type == Type::f16x2 ||
                      type == Type::bf16 || type == Type::bf16x2;
  return floats && i.rounding == ptx::Rounding::none && i.guard < 0;
}

bool writes(const Operand& o, std::int32_t reg) {
  if (o.kind == OperandKind::reg && o.index == reg) return true;
  return std::any_of(o.elements.begin(), o.elements.end(), [reg](const Operand& e) { return writes(e, reg); });
}

/// Returns the index of the multiplication that can be fused into `sum` through this operand, or -1.
std::int32_t product_of(const ptx::Function& function, const ControlFlow& flow, const SassValues& values,
                        std::size_t sum, const Operand& o) {
  if (o.kind != OperandKind::reg) return -1;
  const auto r = static_cast<std::size_t>(o.index);
  if (values.definitions[r] != 1) return -1;
  const std::int32_t at = values.defined_at[r];
  const ptx::Instruction& product = function.instructions[static_cast<std::size_t>(at)];
  const ptx::Instruction& i = function.instructions[sum];
  if (product.opcode != Opcode::mul || !can_fuse(product) || product.has(Modifier::sat)) return -1;
  if (product.type() != i.type() || product.has(Modifier::ftz) != i.has(Modifier::ftz)) return -1;
  if (flow.node_of[static_cast<std::size_t>(at)] != flow.node_of[sum]) return -1;
  // The factors must not be overwritten before the sum.
  const auto kept = [&](const Operand& factor) {
    for (std::size_t k = static_cast<std::size_t>(at) + 1; k < sum && factor.kind == OperandKind::reg; ++k) {
      const auto& operands = function.instructions[k].operands;
      if (!operands.empty() && writes(operands[0], factor.index)) return false;
    }
    return true;
  };
  return std::all_of(product.operands.begin() + 1, product.operands.end(), kept) ? at : -1;
}

}  // namespace

std::vector<std::int32_t> find_contractions(const ptx::Function& function, const ControlFlow& flow,
                                            const SassValues& values) {
  const std::size_t count = function.instructions.size();
  // Products that are also needed by themselves.
  std::vector<bool> kept(count);
  for (;;) {
    std::vector<std::int32_t> product(count, -1);
    std::vector<std::uint16_t> fused(count);
    for (std::size_t at = 0; at < count; ++at) {
      const ptx::Instruction& i = function.instructions[at];
      if ((i.opcode != Opcode::add && i.opcode != Opcode::sub) || !can_fuse(i)) continue;
      // If both operands are products, ptxas fuses the first.
      for (std::size_t k = 1; k < 3 && product[at] < 0; ++k) {
        const std::int32_t found = product_of(function, flow, values, at, i.operands[k]);
        if (found >= 0 && !kept[static_cast<std::size_t>(found)]) product[at] = found;
      }
      if (product[at] >= 0) ++fused[static_cast<std::size_t>(product[at])];
    }
    bool settled = true;
    for (std::size_t at = 0; at < count; ++at) {
      if (fused[at] == 0) continue;
      const auto result = static_cast<std::size_t>(function.instructions[at].operands[0].index);
      if (fused[at] == values.uses[result]) continue;
      kept[at] = true;
      settled = false;
    }
    if (settled) return product;
  }
}

}  // namespace warpwalk::gpu
