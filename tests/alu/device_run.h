#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/gpu/alu/alu.h"
#include "core/gpu/alu/isa.h"
#include "core/ptx/module.h"
#include "tests/alu/device/forms.h"
#include "tests/alu/device/inputs.h"

namespace warpwalk::gpu {

/// The recorded forms as the PTX reader sees them.
struct DeviceModule {
  std::vector<device_forms::Form> forms;
  ptx::Module module;
  std::vector<const ptx::Instruction*> instructions;  ///< of each form
  std::vector<const ptx::Function*> functions;
};
DeviceModule device_module();

/// What find_alu's function gives for every input of a form: d, and the flags as device/forms.h has them.
struct FormResults {
  std::string refusal;  ///< why there is no function
  int d_bytes = 0;
  std::vector<std::uint64_t> d, flags;
};
FormResults results_of(const device_forms::Form& form, const device_forms::Inputs& inputs,
                       const ptx::Function& function, const ptx::Instruction& instruction, Isa isa);

}  // namespace warpwalk::gpu
