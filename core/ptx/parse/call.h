#pragma once

#include "core/ptx/parse/labels.h"
#include "core/ptx/parse/operand_parser.h"
#include "core/ptx/parse/state.h"

namespace warpwalk::ptx {

/// Reads the operands of a call: "(returns), f, (arguments), prototype", of which only f must be there. The
/// instruction gets the three or four of instruction.h.
void parse_call(State& state, OperandParser& operands, Labels& labels, const Function& function,
                Instruction& instruction);

/// Compares the calls with what they call, once all prototypes are known: how many values go and come, and their sizes.
void check_calls(const Module& module, const Function& function);

}  // namespace warpwalk::ptx
