#pragma once

#include "core/ptx/parse/labels.h"
#include "core/ptx/parse/operand_parser.h"
#include "core/ptx/parse/state.h"

namespace warpwalk::ptx {

/// Parses the operands of a call: "(returns), f, (arguments), prototype". Only f is required. The instruction gets the
/// three or four operands that Instruction::operands describes.
void parse_call(State& state, OperandParser& operands, Labels& labels, const Function& function,
                Instruction& instruction);

/// The return values and parameters that a call must match.
struct Signature {
  const std::vector<Parameter>&returns, &parameters;
};
Signature signature_of(const Module& module, const Function& function, const Instruction& call);

/// Checks the number and sizes of arguments and return values of all calls. Call it once all prototypes are known.
void check_calls(const Module& module, const Function& function);

}  // namespace warpwalk::ptx
