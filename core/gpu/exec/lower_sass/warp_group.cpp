#include <string_view>

#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"
#include "core/sass/analysis/register_use.h"

namespace warpwalk::gpu {

using sass::Field;
using sass::Opcode;
using sass::Operand;
using sass::OperandKind;
using sass::Word;

namespace {

ptx::Type factor_type(Word word) {
  switch (word) {
    case Word::bf16: return ptx::Type::bf16;
    case Word::tf32: return ptx::Type::tf32;
    case Word::e4m3: return ptx::Type::e4m3;
    case Word::e5m2: return ptx::Type::e5m2;
    case Word::s8: return ptx::Type::s8;
    case Word::u8: return ptx::Type::u8;
    case Word::f16: return ptx::Type::f16;
    default: return ptx::Type::none;
  }
}

bool is_group_product(Opcode opcode) {
  return opcode == Opcode::hgmma || opcode == Opcode::igmma || opcode == Opcode::qgmma || opcode == Opcode::bgmma;
}

}  // namespace

/// HGMMA, IGMMA and QGMMA.
void MachineCodeLowering::lower_group_product() {
  GroupProduct product;
  std::vector<const Operand*> registers;
  const Operand* descriptor = nullptr;
  const Operand* adds = nullptr;
  for (const Operand& o : i_->operands) {
    if (o.kind == OperandKind::reg) registers.push_back(&o);
    if (o.kind == OperandKind::matrix_descriptor) descriptor = &o;
    if (o.kind == OperandKind::uniform_predicate) adds = &o;
  }
  if (descriptor == nullptr || adds == nullptr || registers.size() < 2) refuse();
  GroupMma& mma = product.mma;
  std::vector<ptx::Type> types;
  for (const sass::Modifier& modifier : i_->modifiers)
    if (modifier.field == Field::source_type || i_->opcode == Opcode::igmma)
      if (const ptx::Type type = factor_type(modifier.word); type != ptx::Type::none) types.push_back(type);
  if (types.empty()) refuse();
  mma.a_type = types.front();
  mma.b_type = types.back();
  mma.d_type = i_->opcode == Opcode::igmma          ? ptx::Type::s32
               : i_->word(Field::type) == Word::f16 ? ptx::Type::f16
                                                    : ptx::Type::f32;
  mma.saturates = has(Word::sat);
  const std::string_view flags = name_of(descriptor->suffix);
  const auto flagged = [&](std::string_view flag) { return flags.find(flag) != std::string_view::npos; };
  mma.negates_a = flagged("negA") || (registers.size() > 2 && registers[1]->negate);
  mma.negates_b = flagged("negB");
  product.transposes_a = flagged("tnspA");
  product.transposes_b = flagged("tnspB");
  const unsigned count = sass::register_count(*i_, 0);
  mma.columns = static_cast<int>(count * (mma.d_type == ptx::Type::f16 ? 4 : 2));
  for (unsigned k = 0; k < count; ++k) product.d.push_back(part(*registers[0], k));
  for (unsigned k = 0; registers.size() > 2 && k < 4; ++k) product.a.push_back(part(*registers[1], k));
  const Operand& c = *registers.back();
  for (unsigned k = 0; c.reg != sass::zero_register && !is_false(*adds) && k < count; ++k)
    product.c.push_back(part(c, k));
  for (unsigned k = 0; k < 4; ++k) product.descriptors[k] = uniform_reg(descriptor->reg + k);
  for (const Operand& o : i_->operands)
    product.commits = product.commits || (o.kind == OperandKind::group_scoreboard && o.shown);
  Op& op = emit(handlers::multiply_warp_group);
  if (!is_true(*adds)) set_predicate_in(op, *adds);
  op.table_index = static_cast<std::uint32_t>(program_.group_products.size());
  program_.group_products.push_back(std::move(product));
}

/// WARPGROUP: ARRIVE, WAIT and DEPBAR.
void MachineCodeLowering::lower_warp_group() {
  if (has(Word::arrive)) {
    // A product waits until all warps of the group have arrived.
    std::size_t next = index_ + 1;
    while (next < code_.size() && code_[next].opcode != Opcode::warpgroup && !is_group_product(code_[next].opcode))
      ++next;
    const bool waits = next < code_.size() && is_group_product(code_[next].opcode);
    emit(handlers::arrive_at_warp_group).immediate = waits ? 1 : 0;
    return;
  }
  if (has(Word::wait)) {
    emit(handlers::wait_for_warp_group);
    return;
  }
  Op& op = emit(handlers::wait_for_group_products);
  op.immediate = static_cast<std::uint64_t>(operand(1).value);
}

/// USETMAXREG: the simulated GPU has the registers of all warps anyway, so that the allocation succeeds at once.
/// USETSHMSZ gives back shared memory that the block no longer needs, which the simulated GPU keeps until the block ends.
void MachineCodeLowering::lower_register_count() {
  const auto to = destinations();
  if (to.empty() || predicate_out(*to[0]) < 0) {
    emit(handlers::no_operation);
    return;
  }
  Op& op = emit(handlers::on_all_lanes<handlers::predicate_logic>);
  op.immediate = 0b1111;  // true
  op.p_in = static_cast<std::int32_t>(never_offset_);
  op.p_out = predicate_out(*to[0]);
}

}  // namespace warpwalk::gpu
