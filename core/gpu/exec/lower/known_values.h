#pragma once

#include <cstdint>
#include <vector>

#include "core/ptx/module.h"

namespace warpwalk::gpu {

/// Addresses of the shared variables. Their alignment decides which loads can be merged.
struct SharedPlaces {
  const std::vector<std::uint64_t>& of_module;
  const std::vector<std::uint32_t>& of_function;
};

/// Static facts about a function's registers.
struct SassValues {
  std::vector<std::uint16_t> definitions;          ///< by register: instructions that write it
  std::vector<std::uint16_t> uses;                 ///< by register: operands that read it
  std::vector<std::int32_t> defined_at;            ///< by register: the last instruction that writes it; -1: none
  std::vector<std::vector<std::int32_t>> used_at;  ///< by register: instructions that read it
  std::vector<std::uint8_t> varies;                ///< by register: 1 if the value may differ between lanes
  std::vector<std::uint8_t> zeros;                 ///< by register: number of low bits known to be 0
};

SassValues sass_values(const ptx::Function& function, const SharedPlaces& places);

}  // namespace warpwalk::gpu
