#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::platform {

/// The contents of a text file.
struct Text {
  std::string text;
};
constexpr std::uint64_t max_text_bytes = std::uint64_t{256} << 20;

/// Fails for what is not a readable regular file: a pipe would block, /dev/zero never ends. The error names the file.
base::Result<void> check_regular_file(const std::filesystem::path& file);

/// Reads a regular file of at most `max_bytes` bytes: PTX, CUDA C++ or JSON. The error names the file.
base::Result<Text> read_text_file(const std::filesystem::path& file, std::uint64_t max_bytes = max_text_bytes);

/// Like read_text_file. A gzip file is decompressed; its contents are at most 256 MiB as well.
base::Result<Text> read_compressed_file(const std::filesystem::path& file);

/// Reads a regular file of exactly `bytes` bytes, or such a file in a tar archive ("values.tar.gz/a.bin", see
/// tar_member.h). The error names the file.
base::Result<std::vector<std::uint8_t>> read_binary_file(const std::filesystem::path& file, std::uint64_t bytes);

}  // namespace warpwalk::platform
