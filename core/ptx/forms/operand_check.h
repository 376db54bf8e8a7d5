#pragma once

#include <span>

#include "core/ptx/forms/form.h"
#include "core/ptx/module.h"
#include "core/ptx/parse/lexer.h"

namespace warpwalk::ptx {

/// Compares an instruction's operands with its form: how many there are, what each is, and how wide. `places` are the
/// tokens at which the operands begin, `end` that after the last. Fails on the first that does not fit.
void check_operands(const Form& form, const Module& module, const Function& function, const Instruction& instruction,
                    std::span<const Token> places, const Token& end);

/// Where a variable or parameter is; generic for any other operand.
Space space_of(const Module& module, const Function& function, const Operand& operand);

}  // namespace warpwalk::ptx
