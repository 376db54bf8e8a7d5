#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::platform {

/// A file in a tar archive, which may be compressed with gzip.
struct TarMember {
  std::filesystem::path archive;
  std::string name;  ///< with slashes, as the archive has it
};

/// Splits a path that goes through an archive, such as "values.tar.gz/a.bin". Nothing if no part of it before the last
/// is a regular file whose name ends in .tar or .tar.gz.
std::optional<TarMember> tar_member(const std::filesystem::path& file);

/// Reads a member of exactly `bytes` bytes. Only regular members with the names of POSIX (ustar) are found. The error
/// names archive and member.
base::Result<std::vector<std::uint8_t>> read_tar_member(const TarMember& member, std::uint64_t bytes);

}  // namespace warpwalk::platform
