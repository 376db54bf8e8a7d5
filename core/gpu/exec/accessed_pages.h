#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/exec/launch.h"

namespace warpwalk::gpu {

/// A part of global memory that a launch has accessed.
struct AccessedPage {
  std::uint64_t address = 0, bytes = 0;
  std::vector<std::uint8_t> before;  ///< its contents before the launch; empty: the launch has only read it
};

/// simulate() that also gives the pages that the launch accessed, by address, so that it can be run again from what it
/// found. Memory that is read-only for kernels is left out. Not with SimulateOptions::touched or observer.
base::Result<Simulation> simulate_with_pages(const Device& device, const Program& program, Launch& launch,
                                             const SimulateOptions& options, std::vector<AccessedPage>& pages);

}  // namespace warpwalk::gpu
