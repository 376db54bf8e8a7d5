#pragma once

#include <string>

#include "core/trace/trace.h"

namespace warpwalk::story {

/// The value of a kernel argument: a number, the name of an allocation, or an address.
std::string argument_text(const trace::Trace& trace, const trace::KernelArgument& argument);

/// The same with the address of a pointer, if it is known: "a, 0x7f0000000000".
std::string argument_text_with_address(const trace::Trace& trace, const trace::KernelArgument& argument);

}  // namespace warpwalk::story
