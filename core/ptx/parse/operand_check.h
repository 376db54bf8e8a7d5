#pragma once

#include <span>

#include "core/ptx/forms/form.h"
#include "core/ptx/module.h"
#include "core/ptx/parse/lexer.h"

namespace warpwalk::ptx {

/// Checks an instruction's operands against its form: their number, kinds and widths. `places` are the first tokens of
/// the operands, `end` is the token after the last one. Throws a Failure for the first operand that does not match.
void check_operands(const Form& form, const Module& module, const Function& function, const Instruction& instruction,
                    std::span<const Token> places, const Token& end);

/// The space of a variable or parameter; generic for any other operand.
Space space_of(const Module& module, const Function& function, const Operand& operand);

}  // namespace warpwalk::ptx
