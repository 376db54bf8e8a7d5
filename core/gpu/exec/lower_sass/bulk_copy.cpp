#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"

namespace warpwalk::gpu {

using sass::Field;
using sass::Opcode;
using sass::Operand;
using sass::OperandKind;
using sass::Word;

namespace {

ptx::Action reduction_of(Word word) {
  switch (word) {
    case Word::min: return ptx::Action::min;
    case Word::max: return ptx::Action::max;
    case Word::inc: return ptx::Action::inc;
    case Word::dec: return ptx::Action::dec;
    case Word::and_: return ptx::Action::and_;
    case Word::or_: return ptx::Action::or_;
    case Word::xor_: return ptx::Action::xor_;
    default: return ptx::Action::add;
  }
}

ptx::Type reduced_type(Word word) {
  switch (word) {
    case Word::s32: return ptx::Type::s32;
    case Word::u64: return ptx::Type::u64;
    case Word::s64: return ptx::Type::s64;
    case Word::f16_rn: return ptx::Type::f16;
    case Word::bf16_rn: return ptx::Type::bf16;
    case Word::f32_rn:
    case Word::f32_ftz_rn: return ptx::Type::f32;
    case Word::f64_rn: return ptx::Type::f64;
    default: return ptx::Type::u32;
  }
}

}  // namespace

/// UTMALDG, UTMASTG and UTMAREDG. The registers of the first operand hold the address in shared memory, for loads that
/// of the mbarrier, and the coordinates; those of the second one the address of the tensor map.
void MachineCodeLowering::lower_tensor_copy() {
  BulkCopy copy;
  copy.is_image = has(Word::im2col);
  if (copy.is_image && i_->opcode == Opcode::utmaredg) refuse("with .IM2COL is not supported");
  copy.kind = i_->opcode == Opcode::utmaldg   ? BulkCopy::Kind::load
              : i_->opcode == Opcode::utmastg ? BulkCopy::Kind::store
                                              : BulkCopy::Kind::reduce;
  const Operand *place = nullptr, *map = nullptr;
  bool has_size = false;
  for (const Operand& o : i_->operands) {
    if (o.kind == OperandKind::address) (place == nullptr ? place : map) = &o;
    if (o.kind != OperandKind::uniform_reg || o.reg == sass::zero_uniform_register) continue;
    copy.size = part(o, 0);
    has_size = true;
  }
  if (map == nullptr) refuse();
  copy.multicast = has(Word::multicast);
  if (copy.is_image && !has_size) copy.size = constant(0, 4);
  const Word shape = i_->word(Field::shape);
  copy.dimensions = shape == Word::n1d   ? 1
                    : shape == Word::n2d ? 2
                    : shape == Word::n3d ? 3
                    : shape == Word::n4d ? 4
                                         : 5;
  copy.action = reduction_of(i_->word(Field::operation));
  unsigned next = place->uniform;
  copy.shared = uniform_reg(next++);
  if (copy.kind == BulkCopy::Kind::load) copy.barrier = uniform_reg(next++);
  for (unsigned d = 0; d < copy.dimensions; ++d) copy.coordinates[d] = uniform_reg(next++);
  for (unsigned k = 0; k < 2; ++k) copy.global[k] = uniform_reg(map->uniform + k);
  // The order of the blocks decides about sums in floating point.
  if (copy.kind == BulkCopy::Kind::reduce) program_.needs_block_order = true;
  if (copy.multicast) program_.uses_clusters = true;
  Op& op = emit(handlers::copy_tensor);
  op.table_index = static_cast<std::uint32_t>(program_.bulk_copies.size());
  program_.bulk_copies.push_back(copy);
}

/// UBLKCP and UBLKRED. The third operand has the number of bytes / 16 and, in its upper half, the blocks of a
/// multicast.
void MachineCodeLowering::lower_contiguous_copy() {
  const Operand *to = nullptr, *from = nullptr, *size = nullptr;
  for (const Operand& o : i_->operands) {
    if (o.kind == OperandKind::address) (to == nullptr ? to : from) = &o;
    if (o.kind == OperandKind::uniform_reg) size = &o;
  }
  // The spaces of the target and the source.
  std::vector<Word> spaces;
  for (const sass::Modifier& modifier : i_->modifiers)
    if (modifier.word == Word::g || modifier.word == Word::s) spaces.push_back(modifier.word);
  if (from == nullptr || size == nullptr || spaces.size() != 2) refuse();
  const bool to_global = spaces[0] == Word::g, from_global = spaces[1] == Word::g;
  if (to_global && from_global) refuse();
  BulkCopy copy;
  const bool reduces = i_->opcode == Opcode::ublkred;
  if (reduces && !to_global) refuse("of shared memory is not supported");
  copy.kind = reduces       ? BulkCopy::Kind::reduce
              : to_global   ? BulkCopy::Kind::store
              : from_global ? BulkCopy::Kind::load
                            : BulkCopy::Kind::exchange;
  copy.multicast = has(Word::multicast);
  copy.action = reduction_of(i_->word(Field::operation));
  copy.type = reduced_type(i_->word(Field::type));
  copy.flushes = has(Word::f32_ftz_rn);
  copy.size = word(*size);
  const Operand& global = to_global ? *to : *from;
  if (to_global) {
    copy.shared = uniform_reg(from->uniform);
  } else {
    (from_global ? copy.shared : copy.target) = uniform_reg(to->uniform);
    copy.barrier = uniform_reg(to->uniform + 1U);
  }
  if (copy.kind == BulkCopy::Kind::exchange) {
    copy.shared = uniform_reg(from->uniform);
    program_.uses_clusters = true;
  } else {
    for (unsigned k = 0; k < 2; ++k) copy.global[k] = uniform_reg(global.uniform + k);
  }
  if (copy.multicast) program_.uses_clusters = true;
  if (reduces) program_.needs_block_order = true;
  Op& op = emit(handlers::copy_contiguous);
  op.table_index = static_cast<std::uint32_t>(program_.bulk_copies.size());
  program_.bulk_copies.push_back(copy);
}

/// STAS and REDAS: the first register of the pair in the address holds the address of the data, the second one that of
/// the mbarrier.
void MachineCodeLowering::lower_async_store() {
  const Operand &to = operand(0), &value = operand(1);
  const bool reduces = i_->opcode == Opcode::redas;
  Access access;
  access.space = ptx::Space::shared;
  access.store = access.communicates = true;
  access.has_base = true;
  access.wide_address = false;
  if (reduces) {
    const Word type = i_->word(Field::type);
    const bool wide_type = type == Word::n64 || type == Word::u64 || type == Word::s64;
    Atomic how;
    how.action = reduction_of(i_->word(Field::operation));
    how.type = type == Word::n64 ? ptx::Type::u64 : type == Word::n32 ? ptx::Type::u32 : reduced_type(type);
    access.elements = wide_type ? 2 : 1;
    access.atomic = static_cast<std::uint32_t>(program_.atomics.size());
    program_.atomics.push_back(how);
  } else {
    set_size(access);
  }
  for (unsigned k = 0; k < access.elements; ++k) {
    access.register_bytes[k] = 4;
    access.values[k] = value.reg == sass::zero_register ? constant(0, 4) : part(value, k);
  }
  program_.uses_clusters = true;
  const Slot base = reg(to.reg), barrier = reg(to.reg + 1U);
  Op& op = emit(handlers::store_async);
  op.a = base;
  op.b = barrier;
  op.immediate = static_cast<std::uint64_t>(to.value);
  op.bytes = reduces ? 1 : 0;
  finish_access(op, access);
}

}  // namespace warpwalk::gpu
