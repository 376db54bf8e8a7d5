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

/// The recorded forms as parsed from PTX.
struct DeviceModule {
  std::vector<device_forms::Form> forms;
  ptx::Module module;
  std::vector<const ptx::Instruction*> instructions;  ///< indexed by form
  std::vector<const ptx::Function*> functions;
};
DeviceModule device_module();

/// The results of find_alu's function for every input of a form: d, and the flags as described in device/forms.h.
struct FormResults {
  std::string refusal;  ///< why there is no function
  int d_bytes = 0;
  std::vector<std::uint64_t> d, flags;
};
FormResults results_of(const device_forms::Form& form, const device_forms::Inputs& inputs,
                       const ptx::Function& function, const ptx::Instruction& instruction, Isa isa);

}  // namespace warpwalk::gpu
