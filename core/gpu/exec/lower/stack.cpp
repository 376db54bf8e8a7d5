#include <algorithm>

#include "core/gpu/exec/lower/lowering.h"
#include "core/gpu/exec/machine/handlers.h"

namespace warpwalk::gpu {

using ptx::Opcode;

/// alloca, stacksave and stackrestore: dynamic memory on the thread's stack, after the function's own variables.
void FunctionLowering::lower_stack(const ptx::Instruction& i) {
  // stackrestore is the only one without a result.
  const bool restores = i.opcode == Opcode::stackrestore;
  Handler handler = handlers::allocate_stack;
  if (i.opcode == Opcode::stacksave) handler = handlers::stack_save;
  if (restores) handler = handlers::stack_restore;
  Op& op = emit(handler, i);
  op.bytes = static_cast<std::uint8_t>(ptx::bytes_of(i.type()));
  if (restores) {
    op.a = source(operand(i, 0), op.bytes, i.type(), i);
    return;
  }
  op.d = destination(operand(i, 0), i);
  if (i.opcode == Opcode::stacksave) return;
  op.a = source(operand(i, 1), op.bytes, i.type(), i);
  // PTX ISA 9.0, "alloca": the default alignment is 8.
  op.immediate = i.operands.size() > 2 ? std::max<std::uint64_t>(operand(i, 2).bits, 8) : 8;
}

}  // namespace warpwalk::gpu
