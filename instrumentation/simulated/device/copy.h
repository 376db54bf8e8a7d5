#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "instrumentation/simulated/device/error.h"
#include "instrumentation/simulated/device/memory.h"

namespace warpwalk::simulated {

/// The values of cudaMemcpyKind.
enum class CopyKind : int {
  host_to_host = 0,
  host_to_device = 1,
  device_to_host = 2,
  device_to_device = 3,
  automatic = 4
};

/// CUPTI's numbers for kinds of memory (CUpti_ActivityMemoryKind).
enum : std::uint32_t {
  memory_pageable = 1,
  memory_pinned = 2,
  memory_device = 3,
  memory_array = 4,
  memory_managed = 5,
  memory_static = 6,
  memory_managed_static = 7,
};

/// One side of a copy: linear memory of host or device, or an array.
struct CopySide {
  std::uint64_t address = 0;            ///< of linear memory
  struct Array* array = nullptr;        ///< else
  std::uint64_t pitch = 0, height = 0;  ///< of linear memory: bytes per row, rows per slice
  std::array<std::uint64_t, 3> at{};    ///< first byte in the row, row, slice
};

/// A copy of `extent` bytes per row, rows, slices.
struct Copy {
  CopySide from, to;
  std::array<std::uint64_t, 3> extent{1, 1, 1};
  CopyKind kind = CopyKind::automatic;
};

/// Fills rows of device memory with a value of 1, 2 or 4 bytes.
struct Fill {
  std::uint64_t address = 0, pitch = 0;
  std::uint32_t value = 0, value_bytes = 1;
  std::uint64_t width = 0, height = 1;  ///< values per row, rows
};

}  // namespace warpwalk::simulated
