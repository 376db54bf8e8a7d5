#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/gpu/exec/launch.h"
#include "core/gpu/exec/machine_code.h"
#include "core/ptx/module.h"

namespace warpwalk::gpu {

/// The memory of a module variable (__device__, __managed__ or __constant__).
struct VariablePlace {
  std::uint64_t address = 0, bytes = 0;
  const ptx::Variable* variable = nullptr;     ///< null: a part of a constant bank of machine code
  const ConstantVariable* constant = nullptr;  ///< that part
};

/// Finds a variable by the module's name; nothing if there is none in global or constant memory.
std::optional<VariablePlace> find_variable(const Program& program, std::string_view name);

/// The address of each buffer of a launch: its own, its variable's, or the one that the simulator chooses.
std::vector<std::uint64_t> buffer_addresses(const Program& program, const Launch& launch);

/// Returns a one-line message if a buffer's variable or one of the launch's address fields is invalid.
std::optional<std::string> address_error(const Program& program, const Launch& launch);

}  // namespace warpwalk::gpu
