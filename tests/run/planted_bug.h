#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/exec/finding.h"

namespace warpwalk::testing {

/// The expected finding of a kernel in tests/bugs (expect.json).
struct PlantedBug {
  std::string kind;                  ///< name of a gpu::FindingKind, or "none"
  std::vector<std::uint32_t> lines;  ///< source lines that the finding may name
  std::optional<std::array<std::uint32_t, 3>> block, thread;
  /// If ptxas removes the bug: opcodes that its machine code does not have, e.g. "LDL".
  std::vector<std::string> absent;

  /// Reads `folder`/expect.json. Fails the test if there is none.
  static PlantedBug in(const std::filesystem::path& folder);

  /// True if the bug has been found: the finding has its kind, source line and thread.
  bool is_found_by(const gpu::Finding& finding) const;
  /// True if the finding may accompany the bug. A read that races with the first write can also be uninitialized.
  bool explains(const gpu::Finding& finding) const;
  /// True if a GPU itself stops at the fault, so that it is found without the sanitizer too.
  bool stops_a_gpu() const;
};

}  // namespace warpwalk::testing
