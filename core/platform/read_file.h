#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace warpwalk::platform {

/// The contents of a text file.
struct Text {
  std::string text;
};
constexpr std::uint64_t max_text_bytes = std::uint64_t{256} << 20;

/// The reason why this is not a readable regular file (a pipe would block, /dev/zero never ends), as one line that
/// names it.
std::optional<std::string> not_a_regular_file(const std::filesystem::path& file);

/// Reads a regular file of at most `max_bytes` bytes: PTX, CUDA C++ or JSON. On failure, returns a one-line message
/// that names the file.
std::variant<Text, std::string> read_text_file(const std::filesystem::path& file,
                                               std::uint64_t max_bytes = max_text_bytes);

/// Like read_text_file. A gzip file is decompressed; its contents are at most 256 MB as well.
std::variant<Text, std::string> read_compressed_file(const std::filesystem::path& file);

/// Reads a regular file of exactly `bytes` bytes. On failure, returns a one-line message that names the file.
std::variant<std::vector<std::uint8_t>, std::string> read_binary_file(const std::filesystem::path& file,
                                                                      std::uint64_t bytes);

}  // namespace warpwalk::platform
