#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace warpwalk::platform {

/// The contents of a text file.
struct Text {
  std::string text;
};
/// Reads a regular file of at most 256 MB: PTX, CUDA C++ or JSON. On failure, returns a one-line message that names the
/// file.
std::variant<Text, std::string> read_text_file(const std::filesystem::path& file);

/// Like read_text_file. A gzip file is decompressed; its contents are at most 256 MB as well.
std::variant<Text, std::string> read_compressed_file(const std::filesystem::path& file);

/// Reads a regular file of exactly `bytes` bytes. On failure, returns a one-line message that names the file.
std::variant<std::vector<std::uint8_t>, std::string> read_binary_file(const std::filesystem::path& file,
                                                                      std::uint64_t bytes);

}  // namespace warpwalk::platform
