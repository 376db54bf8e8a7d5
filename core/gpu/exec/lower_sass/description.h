#pragma once

#include <memory>

#include "core/gpu/exec/lower_sass/code_image.h"
#include "core/ptx/module.h"
#include "core/sass/elf/cubin.h"

namespace warpwalk::gpu {

/// Describes a cubin's kernel in the terms of a PTX module, for the parts of the simulator that need only its
/// interface: name, parameters, launch limits, module variables, and for each instruction its position in the sources.
/// The only function is the kernel; its instructions have no operands.
std::shared_ptr<const ptx::Module> describe_machine_code(const sass::Cubin& cubin, const sass::CubinFunction& kernel);
/// True if the instruction reads the phase of an mbarrier. Before sm_90, this is a plain load of the upper word.
bool reads_mbarrier_phase(const CodeImage& image, const sass::Instruction& instruction);
/// Adds the instructions of `image` to the only function.
void describe_instructions(const sass::Cubin& cubin, const CodeImage& image, ptx::Module& module);

}  // namespace warpwalk::gpu
