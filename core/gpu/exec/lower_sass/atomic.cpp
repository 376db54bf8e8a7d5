#include "core/gpu/alu/machine/machine.h"
#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/lower_sass/ptx_words.h"
#include "core/gpu/exec/machine/handlers.h"

namespace warpwalk::gpu {

using ptx::Action;
using ptx::Space;
using ptx::Type;
using sass::Field;
using sass::Opcode;
using sass::Operand;
using sass::Word;

namespace {

Action action_of(Word word) {
  switch (word) {
    case Word::add: return Action::add;
    case Word::min: return Action::min;
    case Word::max: return Action::max;
    case Word::inc: return Action::inc;
    case Word::dec: return Action::dec;
    case Word::and_: return Action::and_;
    case Word::or_: return Action::or_;
    case Word::xor_: return Action::xor_;
    case Word::exch: return Action::exch;
    default: return Action::none;
  }
}

/// The type of one element, and the number of elements. A vector is atomic per element only.
struct AtomicType {
  Type type = Type::none;
  unsigned elements = 1;
};

AtomicType atomic_type(Word word) {
  switch (word) {
    case Word::none:
    case Word::u32: return {Type::u32};
    case Word::s32: return {Type::s32};
    case Word::n64: return {Type::u64};
    case Word::s64: return {Type::s64};
    case Word::n128: return {Type::b128};
    case Word::f16x2_rn: return {Type::f16x2};
    case Word::f16x4_rn: return {Type::f16x2, 2};
    case Word::f16x8_rn: return {Type::f16x2, 4};
    case Word::bf16x2_rn: return {Type::bf16x2};
    case Word::bf16x4_rn: return {Type::bf16x2, 2};
    case Word::bf16x8_rn: return {Type::bf16x2, 4};
    case Word::f32_ftz_rn: return {Type::f32};
    case Word::f32x2_ftz_rn: return {Type::f32, 2};
    case Word::f32x4_ftz_rn: return {Type::f32, 4};
    case Word::f64_rn: return {Type::f64};
    default: return {};
  }
}

}  // namespace

/// A 128-bit value takes the room of two scratch slots.
Slot MachineCodeLowering::quad_scratch() {
  const Slot first = scratch();
  scratch();
  return first;
}

/// Four registers as a 128-bit value for each lane.
Slot MachineCodeLowering::quad(const Operand& o) {
  const Slot whole = quad_scratch();
  const bool zero = o.reg == sass::zero_register;
  const Slot nothing = constant(0, 4);
  Op& op = emit_plain(handlers::pack);
  op.table_index = 4;
  op.bytes = 4;
  op.d = whole;
  op.a = zero ? nothing : part(o, 0);
  op.b = zero ? nothing : part(o, 1);
  op.c = zero ? nothing : part(o, 2);
  op.e = zero ? nothing : part(o, 3);
  return whole;
}

/// ATOMS. Before sm_90, .ARRIVE is an operation on an mbarrier.
void MachineCodeLowering::lower_shared_atomic() {
  if (has(Word::arrive)) return lower_mbarrier();
  lower_atomic();
}

void MachineCodeLowering::lower_atomic() {
  const Space space = lowering_of(i_->opcode).properties.space;
  const bool returns = i_->opcode != Opcode::red && i_->opcode != Opcode::redg;
  const auto from = sources();
  const auto to = destinations();
  const bool counts = has(Word::popc);  // ATOMS.POPC.INC: each lane adds one
  if (counts && to[0]->reg != sass::zero_register) refuse("with a result is not supported");
  const bool swaps = has(Word::cas) || has(Word::cast);
  const AtomicType type = counts ? AtomicType{Type::u32} : atomic_type(i_->word(Field::type));
  const Action action = counts ? Action::add : swaps ? Action::cas : action_of(i_->word(Field::operation));
  if (type.type == Type::none || action == Action::none) refuse();
  // Since sm_100, ATOMS.CAST says in a predicate whether it has swapped.
  const bool predicate_tells = returns && to.back()->kind == sass::OperandKind::predicate;
  if (predicate_tells && !has(Word::cast)) refuse();
  const Operand* const d = returns ? to.back() : nullptr;
  const bool keeps = predicate_tells ? predicate_out(*d) >= 0 : d != nullptr && d->reg != sass::zero_register;
  const int bytes = ptx::bytes_of(type.type);
  const unsigned words = bytes == 16 ? 4 : bytes == 8 ? 2 : 1;
  const auto value = [&](const Operand& o, unsigned k) {
    if (words == 4) return quad(o);
    if (words == 2) return wide(o);
    return o.reg == sass::zero_register ? constant(0, 4) : part(o, k);
  };
  Access access;
  access.space = space;
  access.store = true;
  access.communicates = true;
  access.block_scope = has_block_scope();
  access.bytes = static_cast<std::uint8_t>(bytes);
  access.register_bytes[0] = access.register_bytes[1] = static_cast<std::uint8_t>(words * 4);
  const Slot base = address(*from[0], access);
  if (!predicate_tells && !to.empty() && to.front()->kind == sass::OperandKind::predicate &&
      predicate_out(*to.front()) >= 0) {
    // The instruction only accesses global memory. The predicate tells the code after it which lanes are done.
    Op& op = emit(handlers::is_space);
    op.a = base;
    op.p_out = predicate_out(*to.front());
    op.immediate = static_cast<std::uint64_t>(Space::global);
    combine_guard(*to.front());
  }
  // Integer sums, minima, maxima and bitwise operations give the same result in any order. Returned old values,
  // floating-point sums and the other operations may not.
  const bool commutes = !ptx::is_float(type.type) && !keeps && action != Action::cas && action != Action::exch &&
                        action != Action::inc && action != Action::dec;
  if (!commutes && space != Space::shared) program_.needs_block_order = true;
  for (unsigned k = 0; k < type.elements; ++k) {
    const Slot b = counts ? constant(1, 4) : value(*from[1], k);
    const Slot c = swaps ? value(*from[2], k) : Slot{};
    const bool tests = has(Word::cast);
    const Slot result = !keeps ? Slot{} : words == 4 ? quad_scratch() : words == 2 || tests ? scratch() : part(*d, k);
    access.values[0] = b;
    access.atomic = static_cast<std::uint32_t>(program_.atomics.size());
    program_.atomics.push_back({action, type.type, keeps});
    Op& op = emit(handlers::atomic);
    op.a = base;
    op.b = b;
    op.c = c;
    op.d = result;
    op.immediate = offset(*from[0], access) + k * static_cast<unsigned>(bytes);
    finish_access(op, access);
    if (keeps && predicate_tells) {
      ptx::Instruction like = ptx_instruction(ptx::Opcode::setp);
      like.compare = ptx::Compare::eq;
      like.types = {words == 2 ? Type::u64 : Type::u32};
      emit_alu(like_ptx(like), {}, result, b).p_out = predicate_out(*d);
      continue;
    }
    if (keeps && tests) {
      // CAST returns 1 if it has swapped, else 0.
      ptx::Instruction like = ptx_instruction(ptx::Opcode::set);
      like.compare = ptx::Compare::eq;
      like.types = {Type::u32, words == 2 ? Type::u64 : Type::u32};
      const Slot swapped = compute(like_ptx(like), result, b);
      emit_alu(machine::extend({}), part(*d, 0), swapped, constant(1, 4));
      if (words == 2) emit_alu(machine::extend({}), part(*d, 1), swapped, constant(0, 4));
      continue;
    }
    if (keeps && words == 2) split_pair(*d, result);
    if (keeps && words == 4) {
      Op& parts = emit(handlers::unpack);
      parts.table_index = 4;
      parts.bytes = 4;
      parts.d = result;
      parts.a = part(*d, 0);
      parts.b = part(*d, 1);
      parts.c = part(*d, 2);
      parts.e = part(*d, 3);
    }
  }
}

}  // namespace warpwalk::gpu
