#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/exec/launch.h"

namespace warpwalk::testing {

/// A launch of a kernel `k(.param .u64 y)` with the given body. y is a buffer.
struct PtxLaunch {
  std::string_view body;  ///< PTX between the braces; %y is a 64-bit register that already holds the address of y
  std::string_view variables = "";   ///< module variables, declared before the kernel
  std::string_view files = "";       ///< .file lines, placed after the kernel
  std::string_view directives = "";  ///< of the kernel, such as .maxclusterrank 4
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{32, 1, 1};
  std::optional<std::array<std::uint32_t, 3>> cluster = {};
  bool nonportable_cluster = false, cooperative = false;
  std::size_t buffer_bytes = 4096;
  bool initialized = true;
  int threads = 1;
  bool sanitize = true;
  std::size_t global_race_bytes = std::size_t{1} << 30;
  std::uint64_t operation_limit = std::uint64_t{1} << 32;  ///< per block
};

using Reports = std::vector<std::string>;

struct PtxOutcome {
  gpu::Simulation simulation;
  std::vector<std::uint8_t> y;
  std::string error;  ///< why the launch failed; empty on success

  /// One string per finding, e.g. "shared_race:7: thread (0,0,0) of ...".
  Reports reports() const;
};

PtxOutcome run_ptx(const PtxLaunch& launch);

}  // namespace warpwalk::testing
