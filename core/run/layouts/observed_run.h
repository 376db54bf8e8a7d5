#pragma once

// This folder compares the layouts of a Triton kernel's tensors with a simulated run of its machine code.

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/device/device.h"
#include "core/gpu/exec/launch.h"
#include "core/gpu/exec/memory/access_log.h"

namespace warpwalk::run {

/// An access of a warp to memory, as the run made it.
struct ObservedAccess {
  std::uint32_t block = 0, warp = 0;
  std::uint32_t instruction = 0;  ///< index into Program::sources
  bool of_rows = false;           ///< ldmatrix, stmatrix: each lane gives the address of a row of 16 bytes
  std::int64_t copied_to = -1;    ///< of a copy from global memory: index of its access to shared memory
  gpu::LoggedAccess access;
};

/// The result of a matrix product, as the run left it in the registers of a warp.
struct ObservedProduct {
  std::uint32_t block = 0, warp = 0, instruction = 0;
  std::vector<std::array<float, 32>> registers;  ///< of D, by register and lane
};

/// The accesses and products of the first blocks of a run.
struct ObservedRun {
  std::uint32_t blocks = 0;  ///< those that were observed whole
  std::vector<ObservedAccess> accesses;
  std::vector<ObservedProduct> products;               ///< with sums in f32
  std::vector<gpu::InstructionCounts> by_instruction;  ///< of all blocks
};

/// Runs a launch and observes its first blocks, at most `max_blocks`. The error is one line.
base::Result<ObservedRun> observe_run(const gpu::Device& device, const gpu::Program& program, gpu::Launch launch,
                                      std::uint32_t max_blocks);

}  // namespace warpwalk::run
