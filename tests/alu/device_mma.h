#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/gpu/alu/mma.h"
#include "core/ptx/module.h"
#include "tests/alu/device/matrices.h"

namespace warpwalk::gpu {

/// The recorded forms of mma as the PTX reader sees them.
struct DeviceMatrices {
  std::vector<device_forms::MatrixForm> forms;
  ptx::Module module;
  std::vector<const ptx::Instruction*> instructions;
};
DeviceMatrices device_matrices();

/// d's registers of all trials, in the order of device_forms::matrix_inputs; empty with the reason where there is no
/// function.
std::vector<std::uint64_t> matrix_results(const device_forms::MatrixForm& form, const ptx::Instruction& instruction,
                                          std::string& refusal);

}  // namespace warpwalk::gpu
