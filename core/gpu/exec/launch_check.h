#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/base/result.h"
#include "core/gpu/blocks/occupancy.h"
#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

/// Maximum local memory per thread (PTX ISA 9.0 and CUDA: 512 KiB).
constexpr std::uint32_t local_stack_limit = 512u << 10;

/// Returns the blocks per cluster that the launch or the kernel asks for; nullopt: no clusters.
std::optional<std::array<std::uint32_t, 3>> cluster_of(const Program& program, const Launch& launch);

/// Returns the occupancy of a launch, or a one-line reason why such a GPU would reject it.
base::Result<Occupancy> check_launch(const Device& device, const Program& program, const Launch& launch, int registers);

}  // namespace warpwalk::gpu
