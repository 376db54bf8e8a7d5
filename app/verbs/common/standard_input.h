#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "core/base/result.h"
#include "core/platform/temporary_folder.h"

namespace warpwalk::verbs {

/// What a program reads from stdin, as a file: formats are found by reading the beginning, and some need a file. The
/// file is deleted with the object.
class StandardInput {
 public:
  /// Where copy() puts it; empty if no temporary folder can be created.
  std::filesystem::path file() const { return folder_.path().empty() ? folder_.path() : folder_.path() / "stdin"; }

  /// Reads stdin to its end. `limit`: bytes. `stop`: whether to give up; asked now and then.
  base::Result<void> copy(std::uint64_t limit, const std::function<bool()>& stop) const;

 private:
  platform::TemporaryFolder folder_;
};

}  // namespace warpwalk::verbs
