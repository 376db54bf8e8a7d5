#pragma once

#include <memory>
#include <vector>

#include "core/ptx/module.h"
#include "core/sass/cubin.h"
#include "core/sass/instruction.h"

namespace warpwalk::gpu {

/// Describes a cubin's kernel in the terms of a PTX module, for the parts of the simulator that need only its
/// interface: name, parameters, launch limits, module variables, and for each instruction its position in the sources.
/// The only function is the kernel; its instructions are those of `code`, without operands.
std::shared_ptr<const ptx::Module> describe_machine_code(const sass::Cubin& cubin, const sass::CubinFunction& kernel,
                                                         const std::vector<sass::Instruction>& code);

}  // namespace warpwalk::gpu
