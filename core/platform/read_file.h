#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace warpwalk::platform {

/// What a plain file holds.
struct Text {
  std::string text;
};
/// A whole plain file of at most 256 MB: PTX, CUDA C++, JSON. The error is one line with the file's name.
std::variant<Text, std::string> read_text_file(const std::filesystem::path& file);

/// A whole plain file of exactly so many bytes. The error is one line with the file's name.
std::variant<std::vector<std::uint8_t>, std::string> read_bytes_of(const std::filesystem::path& file,
                                                                   std::uint64_t bytes);

}  // namespace warpwalk::platform
