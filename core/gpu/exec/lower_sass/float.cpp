#include "core/gpu/alu/machine/machine.h"
#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/lower_sass/ptx_words.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"

namespace warpwalk::gpu {

using sass::Field;
using sass::Opcode;
using sass::Operand;
using sass::OperandKind;
using sass::Word;

namespace {

/// The scale of FMUL as a power of two.
int exponent_of(Word scale) {
  switch (scale) {
    case Word::d8: return -3;
    case Word::d4: return -2;
    case Word::d2: return -1;
    case Word::m2: return 1;
    case Word::m4: return 2;
    case Word::m8: return 3;
    default: return 0;
  }
}

}  // namespace

void MachineCodeLowering::lower_float_arithmetic() {
  ptx::Instruction like;
  const bool multiplies = i_->opcode == Opcode::fmul || i_->opcode == Opcode::ufmul;
  like.opcode = i_->opcode == Opcode::fadd ? ptx::Opcode::add : multiplies ? ptx::Opcode::mul : ptx::Opcode::fma;
  like.types = {ptx::Type::f32};
  like.rounding = rounding_of(i_->word(Field::rounding));
  if (has(Word::fmz)) refuse("with .FMZ is not supported");
  const int exponent = exponent_of(i_->word(Field::scale));
  if (exponent != 0) {
    if (like.rounding != ptx::Rounding::rn) refuse("with a scale and this rounding is not supported");
    const Slot a = f32(operand(1)), b = f32(operand(2));
    emit_alu(machine::scaled_product(exponent, has(Word::ftz), has(Word::sat)), destination(operand(0)), a, b);
    return;
  }
  set(like, ptx::Modifier::ftz, has(Word::ftz));
  set(like, ptx::Modifier::sat, has(Word::sat));
  const auto from = sources();
  const Slot a = f32(*from[0]), b = f32(*from[1]);
  const Slot c = from.size() > 2 ? f32(*from[2]) : Slot{};
  emit_alu(like_ptx(like), destination(operand(0)), a, b, c);
}

void MachineCodeLowering::lower_double_arithmetic() {
  ptx::Instruction like;
  like.opcode = i_->opcode == Opcode::dadd   ? ptx::Opcode::add
                : i_->opcode == Opcode::dmul ? ptx::Opcode::mul
                                             : ptx::Opcode::fma;
  like.types = {ptx::Type::f64};
  like.rounding = rounding_of(i_->word(Field::rounding));
  const auto from = sources();
  const Slot a = f64(*from[0]), b = f64(*from[1]);
  const Slot c = from.size() > 2 ? f64(*from[2]) : Slot{};
  const Slot result = scratch();
  emit_alu(like_ptx(like), result, a, b, c);
  split_pair(operand(0), result);
}

/// FSETP, DSETP and FSET.
void MachineCodeLowering::lower_float_compare() {
  const bool is_double = i_->opcode == Opcode::dsetp;
  const bool set_value = i_->opcode == Opcode::fset;
  const Word compare = i_->word(Field::compare);
  if (is_double && (compare == Word::min || compare == Word::max)) return lower_double_extreme();
  ptx::Instruction like = ptx_instruction(set_value ? ptx::Opcode::set : ptx::Opcode::setp);
  like.compare = compare_of(compare);
  if (like.compare == ptx::Compare::none) refuse("with this comparison is not supported");
  like.action = combination_of(i_->word(Field::combine));
  like.types = {is_double ? ptx::Type::f64 : ptx::Type::f32};
  if (set_value) like.types.insert(like.types.begin(), ptx::Type::f32);
  set(like, ptx::Modifier::ftz, has(Word::ftz));
  const auto from = sources();
  const auto to = destinations();
  const Slot a = is_double ? f64(*from[0]) : f32(*from[0]), b = is_double ? f64(*from[1]) : f32(*from[1]);
  Op& op = emit_alu(like_ptx(like), set_value ? destination(*to[0]) : Slot{}, a, b);
  if (!set_value) {
    op.p_out = predicate_out(*to[0]);
    op.q_out = predicate_out(*to[1]);
  }
  set_predicate_in(op, *from[2]);
}

/// DSETP.MIN and DSETP.MAX: the first predicate is set if the first source is the result of min or max, the second one
/// if both sources are NaN. Selections after it use both.
void MachineCodeLowering::lower_double_extreme() {
  const auto from = sources();
  const auto to = destinations();
  if (!is_true(*from[2]) || i_->word(Field::combine) != Word::and_) refuse("with a predicate is not supported");
  Op& op = emit_alu(machine::double_extreme(i_->word(Field::compare) == Word::min), {}, f64(*from[0]), f64(*from[1]));
  op.bytes = 0;
  op.run = handlers::alu_predicates;
  op.p_out = predicate_out(*to[0]);
  op.q_out = predicate_out(*to[1]);
}

/// FSEL and FMNMX: a predicate chooses the source, or the minimum or the maximum.
void MachineCodeLowering::lower_float_select() {
  const auto from = sources();
  // .XORSIGN takes the sign of the result from the sources before their absolute values.
  const bool xorsign = has(Word::xorsign);
  const Slot a = xorsign ? word(*from[0]) : f32(*from[0]), b = xorsign ? word(*from[1]) : f32(*from[1]);
  const Slot d = destination(operand(0));
  if (xorsign && (!from[0]->absolute || !from[1]->absolute || from[0]->negate || from[1]->negate)) refuse();
  const Operand& choice = *from[2];
  if (i_->opcode == Opcode::fsel) {
    Op& op = emit_alu(has(Word::ftz) ? machine::select_flushed() : machine::select(), d, a, b);
    set_predicate_in(op, choice);
    return;
  }
  const auto extreme = [&](bool least) {
    ptx::Instruction like = ptx_instruction(least ? ptx::Opcode::min : ptx::Opcode::max);
    like.types = {ptx::Type::f32};
    set(like, ptx::Modifier::ftz, has(Word::ftz));
    set(like, ptx::Modifier::nan, has(Word::nan));
    set(like, ptx::Modifier::xorsign, has(Word::xorsign));
    set(like, ptx::Modifier::abs, has(Word::xorsign));
    return like_ptx(like);
  };
  if (is_true(choice) || is_false(choice)) {
    emit_alu(extreme(is_true(choice)), d, a, b);
    return;
  }
  const Slot least = compute(extreme(true), a, b), greatest = compute(extreme(false), a, b);
  Op& op = emit_alu(machine::select(), d, least, greatest);
  set_predicate_in(op, choice);
}

void MachineCodeLowering::lower_special_function() {
  const Word function = i_->word(Field::operation), type = i_->word(Field::type);
  ptx::Instruction like;
  like.types = {ptx::Type::f32};
  set(like, ptx::Modifier::approx);
  set(like, ptx::Modifier::ftz);
  const Operand& from = operand(1);
  const Slot d = destination(operand(0));
  if (type != Word::f32 && type != Word::none) {
    // Halves: the result is in the low half of the register.
    like.types = {type == Word::f16 ? ptx::Type::f16x2 : ptx::Type::bf16x2};
    like.opcode = function == Word::ex2 ? ptx::Opcode::ex2 : ptx::Opcode::tanh;
    if (function != Word::ex2 && function != Word::tanh) refuse();
    set(like, ptx::Modifier::ftz, type == Word::bf16 && function == Word::ex2);
    const auto which = from.suffix == Word::h1 ? machine::Halves::high : machine::Halves::low;
    const Slot a = compute(machine::modified_halves(which, from.negate, from.absolute), word(from));
    const Slot both = compute(like_ptx(like), a);
    emit_alu(machine::extend({}), d, both, constant(16, 4));
    return;
  }
  const Slot a = f32(from);
  switch (function) {
    case Word::rcp: like.opcode = ptx::Opcode::rcp; break;
    case Word::rsq: like.opcode = ptx::Opcode::rsqrt; break;
    case Word::sqrt: like.opcode = ptx::Opcode::sqrt; break;
    case Word::ex2: like.opcode = ptx::Opcode::ex2; break;
    case Word::lg2: like.opcode = ptx::Opcode::lg2; break;
    case Word::tanh:
      like.opcode = ptx::Opcode::tanh;
      set(like, ptx::Modifier::ftz, false);
      break;
    case Word::sin: emit_alu(machine::sine(), d, a); return;
    case Word::cos: emit_alu(machine::cosine(), d, a); return;
    case Word::rcp64h: emit_alu(machine::reciprocal_high(), d, a); return;
    case Word::rsq64h: emit_alu(machine::inverse_root_high(), d, a); return;
    default: refuse();
  }
  emit_alu(like_ptx(like), d, a);
}

/// FCHK
void MachineCodeLowering::lower_division_check() {
  const auto from = sources();
  Op& op = emit_alu(machine::check_division(), {}, f32(*from[0]), f32(*from[1]));
  op.bytes = 0;
  op.run = handlers::alu_predicates;
  op.p_out = predicate_out(operand(0));
}

}  // namespace warpwalk::gpu
