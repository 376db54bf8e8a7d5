#include "core/gpu/alu/machine/machine.h"
#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"

namespace warpwalk::gpu {

using ptx::Action;
using sass::Field;
using sass::Opcode;
using sass::Operand;
using sass::OperandKind;
using sass::Word;

namespace {

Action vote_mode(Word word) {
  if (word == Word::all) return Action::all;
  return word == Word::any ? Action::any : Action::uni;
}

Action shuffle_mode(Word word) {
  if (word == Word::up) return Action::up;
  if (word == Word::down) return Action::down;
  return word == Word::bfly ? Action::bfly : Action::idx;
}

Action reduction(Word word) {
  switch (word) {
    case Word::or_: return Action::or_;
    case Word::xor_: return Action::xor_;
    case Word::sum: return Action::add;
    case Word::min: return Action::min;
    case Word::max: return Action::max;
    case Word::maxabs:
    case Word::minabs: return Action::none;
    default: return Action::and_;
  }
}

}  // namespace

// SHFL, VOTE, MATCH, REDUX and ELECT work among the converged lanes that execute them: WARPSYNC comes before.

/// The destination that is a register; null if there is none.
const Operand* MachineCodeLowering::value_destination() const {
  const Operand* value = nullptr;
  for (const Operand* const o : destinations())
    if (o->kind == OperandKind::reg || o->kind == OperandKind::uniform_reg) value = o;
  return value;
}

/// The destination that is a predicate; -1 if there is none or it is PT.
std::int32_t MachineCodeLowering::predicate_destination() const {
  for (const Operand* const o : destinations())
    if (o->kind == OperandKind::predicate || o->kind == OperandKind::uniform_predicate) return predicate_out(*o);
  return -1;
}

void MachineCodeLowering::lower_shuffle() {
  const auto from = sources();
  const Slot a = word(*from[0]), b = word(*from[1]), c = word(*from[2]);
  Op& op = emit(handlers::shuffle_active);
  op.d = destination(*value_destination());
  op.a = a;
  op.b = b;
  op.c = c;
  op.p_out = predicate_destination();
  op.immediate = static_cast<std::uint64_t>(shuffle_mode(i_->word(Field::mode)));
}

void MachineCodeLowering::lower_vote() {
  const auto from = sources();
  const Operand* const value = value_destination();
  const bool is_uniform = i_->opcode == Opcode::voteu;
  if (value != nullptr && value->reg != (is_uniform ? sass::zero_uniform_register : sass::zero_register)) {
    Op& op = emit(is_uniform ? handlers::ballot_uniform : handlers::vote_active);
    op.d = destination(*value);
    op.immediate = static_cast<std::uint64_t>(Action::ballot);
    set_predicate_in(op, *from[0]);
  }
  if (predicate_destination() < 0) return;
  Op& op = emit(is_uniform ? handlers::vote_uniform : handlers::vote_active);
  op.p_out = predicate_destination();
  op.immediate = static_cast<std::uint64_t>(vote_mode(i_->word(Field::mode)));
  set_predicate_in(op, *from[0]);
}

void MachineCodeLowering::lower_match() {
  const Operand& from = *sources()[0];
  const bool pair = has(Word::u64);
  const Slot a = pair ? wide(from) : word(from);
  Op& op = emit(handlers::match_active);
  op.d = destination(*value_destination());
  op.a = a;
  op.bytes = pair ? 8 : 4;
  op.p_out = predicate_destination();
  op.immediate = static_cast<std::uint64_t>(i_->word(Field::mode) == Word::all ? Action::all : Action::any);
}

/// REDUX and CREDUX
void MachineCodeLowering::lower_reduction() {
  if (has(Word::f32) || reduction(i_->word(Field::operation)) == Action::none) refuse("of floats is not supported");
  const Slot a = word(*sources()[0]), result = scratch();
  Op& op = emit(handlers::reduce_active);
  op.d = result;
  op.a = a;
  op.table_index = has(Word::s32) ? 1 : 0;
  op.immediate = static_cast<std::uint64_t>(reduction(i_->word(Field::operation)));
  Op& spread = emit(handlers::read_first_lane);
  spread.d = destination(*value_destination());
  spread.a = result;
}

/// ELECT
void MachineCodeLowering::lower_election() {
  const Operand* const value = value_destination();
  const Slot result = scratch();
  if (!is_true(*sources()[0])) refuse("with a predicate is not supported");
  Op& op = emit(handlers::elect_active);
  op.bytes = 4;
  op.d = result;
  op.p_out = predicate_destination();
  if (value == nullptr || value->reg == sass::zero_uniform_register) return;
  Op& spread = emit(handlers::read_first_lane);
  spread.d = destination(*value);
  spread.a = result;
}

}  // namespace warpwalk::gpu
