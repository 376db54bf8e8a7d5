#include "core/gpu/exec/lower/lowering.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"

namespace warpwalk::gpu {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;
using ptx::Space;

/// Computes an address before the instruction. Returns its two 32-bit words, which stay in the `place`-th part of the
/// function's scratch memory.
std::array<Slot, 2> FunctionLowering::lower_address_words(const Operand& o, Space space, std::uint32_t place,
                                                          const ptx::Instruction& i) {
  constexpr std::uint32_t word = lanes_per_warp * 4;
  const std::uint32_t at = program_.functions[index_].scratch + place * 2 * word;
  Access access;
  access.space = space;
  access.bytes = 1;
  Op& op = emit(handlers::address_words, i);
  lower_address_operand(o, access, op, i);
  op.d = Slot::at(SlotSpace::frame, at);
  op.e = Slot::at(SlotSpace::frame, at + word);
  op.table_index = static_cast<std::uint32_t>(program_.accesses.size());
  program_.accesses.push_back(access);
  return {op.d, op.e};
}

/// The size and the blocks of a multicast in one word, as machine code has them. Null: none.
Slot FunctionLowering::lower_copy_size(const Operand* bytes, const Operand* blocks, std::uint32_t place,
                                       const ptx::Instruction& i) {
  const Slot size = bytes != nullptr ? source(*bytes, 4, ptx::Type::u32, i) : constant(0, 4);
  const Slot mask = blocks != nullptr ? source(*blocks, 2, ptx::Type::u16, i) : constant(0, 2);
  Op& op = emit(handlers::copy_size, i);
  op.a = size;
  op.b = mask;
  op.d = Slot::at(SlotSpace::frame, program_.functions[index_].scratch + place * 2 * lanes_per_warp * 4);
  return op.d;
}

/// Packs the offsets of pixels into the lower half of the word, as machine code has them.
void FunctionLowering::add_pixel_offsets(const Operand& offsets, Slot size, const ptx::Instruction& i) {
  Slot each[3];
  for (std::size_t k = 0; k < 3; ++k)
    each[k] = k < offsets.elements.size() ? source(offsets.elements[k], 2, ptx::Type::u16, i) : constant(0, 2);
  Op& op = emit(handlers::pixel_offsets, i);
  op.a = each[0];
  op.b = each[1];
  op.c = each[2];
  op.d = size;
  op.immediate = offsets.elements.size();
}

void FunctionLowering::add_bulk_copy(Handler handler, BulkCopy copy, const ptx::Instruction& i) {
  copy.multicast = i.has(Modifier::multicast);
  copy.each_lane = true;
  if (copy.action == ptx::Action::none) copy.action = ptx::Action::add;
  // Copies are ordered among blocks as those of machine code (lower_sass/bulk_copy.cpp).
  if (copy.reduces()) program_.needs_block_order = true;
  if (copy.multicast || copy.kind == BulkCopy::Kind::exchange) program_.uses_clusters = true;
  Op& op = emit(handler, i);
  op.table_index = static_cast<std::uint32_t>(program_.bulk_copies.size());
  program_.bulk_copies.push_back(copy);
}

/// cp.async.bulk and cp.reduce.async.bulk: [to], [from], bytes, and [barrier] if the copy signals one, blocks if it is
/// a multicast.
void FunctionLowering::lower_bulk_copy(const ptx::Instruction& i) {
  const bool reduces = i.opcode == Opcode::cp_reduce_async_bulk, to_global = i.space == Space::global;
  BulkCopy copy;
  copy.kind = to_global                 ? (reduces ? BulkCopy::Kind::reduce : BulkCopy::Kind::store)
              : i.has(Modifier::global) ? BulkCopy::Kind::load
                                        : BulkCopy::Kind::exchange;
  copy.action = i.action;
  copy.combines = reduces && !to_global;
  copy.type = i.type() == ptx::Type::b32 ? ptx::Type::u32 : i.type() == ptx::Type::b64 ? ptx::Type::u64 : i.type();
  const auto to = lower_address_words(operand(i, 0), to_global ? Space::global : Space::shared, 0, i);
  const bool from_global = copy.kind == BulkCopy::Kind::load;
  const auto from = lower_address_words(operand(i, 1), from_global ? Space::global : Space::shared, 1, i);
  if (!to_global) copy.barrier = lower_address_words(operand(i, 3), Space::shared, 2, i)[0];
  copy.size = lower_copy_size(&operand(i, 2), i.has(Modifier::multicast) ? &operand(i, 4) : nullptr, 3, i);
  copy.shared = from_global ? to[0] : from[0];
  copy.target = to[0];
  for (std::size_t k = 0; k < 2; ++k) copy.global[k] = to_global ? to[k] : from[k];
  add_bulk_copy(handlers::copy_contiguous, copy, i);
}

/// cp.async.bulk.tensor and cp.reduce.async.bulk.tensor: [to], [map, {x, y}], [barrier], blocks if it is a multicast;
/// or [map, {x, y}], [from].
void FunctionLowering::lower_tensor_copy(const ptx::Instruction& i) {
  const bool loads = i.space != Space::global;
  BulkCopy copy;
  copy.kind = loads                                             ? BulkCopy::Kind::load
              : i.opcode == Opcode::cp_reduce_async_bulk_tensor ? BulkCopy::Kind::reduce
                                                                : BulkCopy::Kind::store;
  copy.action = i.action;
  copy.dimensions = static_cast<unsigned>(ptx::tensor_dimensions(i));
  const Operand& place = operand(i, loads ? 1 : 0);
  copy.shared = lower_address_words(operand(i, loads ? 0 : 1), Space::shared, 0, i)[0];
  const auto map = lower_address_words(place.elements[0], Space::generic, 1, i);
  for (std::size_t k = 0; k < 2; ++k) copy.global[k] = map[k];
  if (loads) copy.barrier = lower_address_words(operand(i, 2), Space::shared, 2, i)[0];
  for (std::size_t d = 0; d < copy.dimensions; ++d)
    copy.coordinates[d] = source(place.elements[d + 1], 4, ptx::Type::s32, i);
  copy.is_image = i.has(Modifier::im2col) || i.has(Modifier::im2col_no_offs);
  const std::size_t blocks = i.has(Modifier::im2col) ? 4 : 3;
  copy.size = lower_copy_size(nullptr, i.has(Modifier::multicast) ? &operand(i, blocks) : nullptr, 3, i);
  if (i.has(Modifier::im2col)) add_pixel_offsets(operand(i, 3), copy.size, i);
  add_bulk_copy(handlers::copy_tensor, copy, i);
}

/// st.async and red.async: [to], values, [barrier].
void FunctionLowering::lower_async_store(const ptx::Instruction& i) {
  Access access;
  access.space = Space::shared;
  access.store = access.communicates = true;
  access.bytes = static_cast<std::uint8_t>(ptx::bytes_of(i.type()));
  const bool reduces = i.opcode == Opcode::red_async;
  if (reduces) {
    Atomic how;
    how.action = i.action;
    how.type = i.type() == ptx::Type::b32 ? ptx::Type::u32 : i.type();
    access.atomic = static_cast<std::uint32_t>(program_.atomics.size());
    program_.atomics.push_back(how);
  }
  lower_value_operands(operand(i, 1), access, i);
  program_.uses_clusters = true;
  const Slot barrier = lower_address_words(operand(i, 2), Space::shared, 0, i)[0];
  Op& op = emit(handlers::store_async, i);
  lower_address_operand(operand(i, 0), access, op, i);
  op.b = barrier;
  op.bytes = reduces ? 1 : 0;
  op.table_index = static_cast<std::uint32_t>(program_.accesses.size());
  program_.accesses.push_back(access);
}

/// The fields that tensormap.replace sets (PTX ISA 9.0, "tensormap.replace"). `dimension`: its second operand.
std::vector<FunctionLowering::MapField> FunctionLowering::fields_of(const ptx::Instruction& i, unsigned dimension) {
  const unsigned half = 32 * (dimension % 2);
  if (i.has(Modifier::global_address)) return {{0, 0, 64}};
  if (i.has(Modifier::map_rank)) return {{1, 4, 3}};
  if (i.has(Modifier::box_dim)) {
    if (dimension == 0) return {{6, 56, 8, 0, 1}};
    return {{7, 8 * (dimension - 1), 8, 0, 1}};
  }
  if (i.has(Modifier::global_dim)) return {{4 + dimension / 2, half, 32, 0, 1}};
  if (i.has(Modifier::element_stride)) return {{6, 32 + 3 * dimension, 3, 0, 1}};
  if (i.has(Modifier::global_stride)) {  // the innermost dimension has none
    const unsigned outer = dimension + 1;
    return {{1 + outer / 2, 32 * (outer % 2), 32, 4}, {3, 28 + 4 * outer, 4, 36}};
  }
  if (i.has(Modifier::interleave_layout)) return {{1, 11, 2}};
  if (i.has(Modifier::swizzle_mode)) return {{1, 13, 2}};
  return {{1, 15, 1}};  // fill_mode
}

/// A word of a tensor map from or to a slot.
void FunctionLowering::add_map_access(bool stores, const Operand& address, Space space, unsigned word, Slot value,
                                      const ptx::Instruction& i) {
  Access access;
  access.space = space;
  access.store = stores;
  access.bytes = 8;
  access.elements = 1;
  access.register_bytes[0] = 8;
  access.values[0] = value;
  Op& op = emit(stores ? handlers::store : handlers::load, i);
  lower_address_operand(address, access, op, i);
  op.immediate += 8 * word;
  access.merged_bytes = 8;
  op.table_index = static_cast<std::uint32_t>(program_.accesses.size());
  program_.accesses.push_back(access);
}

/// Reads the word with the field, puts the value in, and writes it.
void FunctionLowering::add_map_field(const MapField& field, Slot value, int bytes, const ptx::Instruction& i) {
  const Slot word = Slot::at(SlotSpace::frame, program_.functions[index_].scratch);
  add_map_access(false, operand(i, 0), i.space, field.word, word, i);
  Op& op = emit(handlers::insert_field, i);
  op.a = op.d = word;
  op.b = value;
  op.bytes = static_cast<std::uint8_t>(bytes);
  op.immediate = field.first | field.bits << 8 | field.left_out << 16 | std::uint64_t{field.less} << 24;
  add_map_access(true, operand(i, 0), i.space, field.word, word, i);
}

/// tensormap.replace
void FunctionLowering::lower_tensor_map_field(const ptx::Instruction& i) {
  if (i.has(Modifier::elemtype)) {
    // 11 and 12 are f32 and f32 with subnormals flushed, rounded to tf32, for which a map has a bit of its own.
    const std::uint64_t type = operand(i, 1).bits;
    add_map_field({1, 7, 4}, constant(type > 10 ? type - 4 : type, 4), 4, i);
    return add_map_field({1, 16, 1}, constant(type > 10 ? 1 : 0, 4), 4, i);
  }
  const bool has_dimension = i.operands.size() == 3;
  const std::uint64_t dimension = has_dimension ? operand(i, 1).bits : 0;
  constexpr std::uint64_t most_dimensions = 5;
  if (dimension >= most_dimensions - (i.has(Modifier::global_stride) ? 1 : 0))
    refuse(i, "names a dimension that a tensor map does not have");
  const int bytes = ptx::bytes_of(i.type());
  const Slot value = source(operand(i, has_dimension ? 2 : 1), bytes, i.type(), i);
  for (const MapField& field : fields_of(i, static_cast<unsigned>(dimension))) add_map_field(field, value, bytes, i);
}

/// tensormap.cp_fenceproxy: when all lanes have come (.sync), copies a map from shared to global memory.
void FunctionLowering::lower_tensor_map_copy(const ptx::Instruction& i) {
  const Slot all = constant(all_lanes, 4);
  emit(handlers::warp_barrier, i).e = all;
  const Slot word = Slot::at(SlotSpace::frame, program_.functions[index_].scratch);
  for (unsigned k = 0; k < 16; ++k) {
    add_map_access(false, operand(i, 1), Space::shared, k, word, i);
    add_map_access(true, operand(i, 0), Space::global, k, word, i);
  }
}

}  // namespace warpwalk::gpu
