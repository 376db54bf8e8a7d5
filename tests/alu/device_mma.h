#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/gpu/alu/matrix/mma.h"
#include "core/ptx/module.h"
#include "tests/alu/device/matrices.h"

namespace warpwalk::gpu {

/// The recorded forms of mma as parsed from PTX.
struct DeviceMatrices {
  std::vector<device_forms::MatrixForm> forms;
  ptx::Module module;
  std::vector<const ptx::Instruction*> instructions;
};
DeviceMatrices device_matrices();

/// Returns d's registers of all trials, in the order of device_forms::matrix_inputs. If find_mma() fails, returns an empty
/// vector and sets `refusal` to the reason.
std::vector<std::uint64_t> matrix_results(const device_forms::MatrixForm& form, const ptx::Instruction& instruction,
                                          std::string& refusal);

}  // namespace warpwalk::gpu
