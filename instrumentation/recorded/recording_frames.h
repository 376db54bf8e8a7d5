#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace warpwalk::instrumentation {

struct FramesRead {
  std::uint64_t damaged_bytes = 0;  ///< cut off at the end
  /// Set if it is no recording or cannot be read: one line with the failure, its place and the remedy.
  std::optional<std::string> error;
};

/// Calls `use` with the payload of each frame of a recording (see row_codec.h), which may be truncated.
FramesRead read_frames(const std::filesystem::path& partial, const std::function<void(std::string_view payload)>& use);

}  // namespace warpwalk::instrumentation
