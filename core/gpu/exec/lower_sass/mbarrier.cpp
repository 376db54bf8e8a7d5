#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"

namespace warpwalk::gpu {

using sass::Field;
using sass::Opcode;
using sass::Operand;
using sass::OperandKind;
using sass::Word;

/// SYNCS, ARRIVES, and before sm_90 ATOMS.ARRIVE: an operation on an mbarrier in shared memory.
void MachineCodeLowering::lower_mbarrier() {
  Access access;
  access.space = ptx::Space::shared;
  access.bytes = 8;
  access.communicates = true;
  const auto from = sources();
  const auto to = destinations();
  const Operand* where = nullptr;
  const Operand* value = nullptr;
  for (const Operand* const o : from) (o->kind == OperandKind::address ? where : value) = o;
  const bool copies = i_->opcode == Opcode::arrives;
  const bool is_older = architecture_ < sass::Architecture::sm_90;
  if (has(Word::iv)) {
    emit(handlers::no_operation);  // mbarrier.inval
    return;
  }
  if (where == nullptr || (value == nullptr && !copies && !is_older)) refuse();
  if (has(Word::exch)) {
    // Initialization: the code has computed the barrier's bits.
    if (!to.empty() && to[0]->reg != sass::zero_uniform_register) refuse("with a result is not supported");
    access.store = true;
    access.communicates = false;
    access.bytes = 4;
    access.elements = 2;
    access.register_bytes[0] = access.register_bytes[1] = 4;
    for (unsigned k = 0; k < 2; ++k) access.values[k] = part(*value, k);
    const Slot base = address(*where, access);
    Op& op = emit(handlers::store);
    op.a = base;
    op.immediate = offset(*where, access);
    finish_access(op, access);
    return;
  }
  if (has(Word::phasechk)) {
    const Slot base = address(*where, access), phase = word(*value);
    Op& op = emit(handlers::check_mbarrier_phase);
    op.a = base;
    op.c = phase;
    op.p_out = predicate_out(*to[0]);
    op.immediate = offset(*where, access);
    finish_access(op, access);
    return;
  }
  // The value is a number of bytes (A1TR, which also arrives once, A0TR, and A0TX, which says that they have arrived)
  // or of arrivals (ART0). A1T0 arrives once. A0T1 expects a transaction, which ARRIVES.TRANSCNT completes. OPTOUT: the
  // thread does not take part in later phases. ARRIVES takes effect when the copies of the thread (LDGSTS) have
  // completed; here they complete immediately.
  MbarrierOp how;
  Word mode = i_->word(Field::mode);
  if (copies) {
    if (is_older || mode == Word::arvcnt)
      mode = Word::a1t0;
    else if (mode == Word::transcnt)
      mode = Word::a0tx;
    else
      refuse();
  } else if (is_older) {
    mode = Word::a1t0;
  }
  how.opcode = mode == Word::a0tr || mode == Word::a0t1 ? ptx::Opcode::mbarrier_expect_tx
               : mode == Word::a0tx                     ? ptx::Opcode::mbarrier_complete_tx
               : has(Word::optout)                      ? ptx::Opcode::mbarrier_arrive_drop
                                                        : ptx::Opcode::mbarrier_arrive;
  how.expects_bytes = mode == Word::none;
  if ((!has(Word::arrive) && !copies) || mode == Word::invalid) refuse();
  if (has(Word::optout) && how.opcode != ptx::Opcode::mbarrier_arrive_drop) refuse();
  how.returns = !to.empty() && to[0]->reg != sass::zero_register;
  access.store = true;
  const Slot base = address(*where, access);
  const bool counts_one = copies || mode == Word::a1t0 || mode == Word::a0t1;
  const Slot count = counts_one ? constant(1, 4) : word(*value);
  const Slot before = how.returns ? scratch() : Slot{};
  Op& op = emit(is_older ? handlers::arrive_at_older_mbarrier : handlers::arrive_at_mbarrier);
  op.a = base;
  op.b = count;
  op.d = before;
  op.immediate = offset(*where, access);
  op.target = static_cast<std::uint32_t>(program_.mbarriers.size());
  program_.mbarriers.push_back(how);
  finish_access(op, access);
  if (how.returns) split_pair(*to[0], before);
}

}  // namespace warpwalk::gpu
