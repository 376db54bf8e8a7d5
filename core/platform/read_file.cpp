#include "core/platform/read_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/platform/byte_source.h"

namespace warpwalk::platform {
namespace {

/// The size of a regular file, or one line saying why it cannot be read.
std::variant<std::uint64_t, std::string> regular_file_size(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return fmt::format("{}: there is no such file", file.string());
  if (!std::filesystem::exists(status)) return fmt::format("{}: {}", file.string(), error.message());
  if (!std::filesystem::is_regular_file(status)) return fmt::format("{}: is not a regular file", file.string());
  const std::uint64_t size = std::filesystem::file_size(file, error);
  if (error) return fmt::format("{}: {}", file.string(), error.message());
  return size;
}

/// Reads `size` bytes into `bytes`. Returns a one-line error, or an empty string on success.
std::string read_all(const std::filesystem::path& file, char* bytes, std::uint64_t size) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  in.read(bytes, static_cast<std::streamsize>(size));
  if (in && static_cast<std::uint64_t>(in.gcount()) == size) return {};
  return fmt::format("{}: cannot be read: {}", file.string(),
                     errno != 0 ? std::strerror(errno) : "it was truncated while being read");
}

}  // namespace

std::optional<std::string> not_a_regular_file(const std::filesystem::path& file) {
  auto size = regular_file_size(file);
  if (auto* const error = std::get_if<std::string>(&size)) return std::move(*error);
  return {};
}

std::variant<Text, std::string> read_text_file(const std::filesystem::path& file, std::uint64_t max_bytes) {
  const auto size = regular_file_size(file);
  if (const auto* const error = std::get_if<std::string>(&size)) return *error;
  const std::uint64_t bytes = std::get<std::uint64_t>(size);
  if (bytes > max_bytes) return fmt::format("{}: is larger than {} MB", file.string(), max_bytes >> 20);
  Text text;
  text.text.resize(bytes);
  if (std::string error = read_all(file, text.text.data(), bytes); !error.empty()) return error;
  return text;
}

std::variant<Text, std::string> read_compressed_file(const std::filesystem::path& file) {
  auto stored = read_text_file(file);
  auto* const text = std::get_if<Text>(&stored);
  if (text == nullptr) return stored;
  const std::unique_ptr<ByteSource> source = memory_source(text->text);
  if (!source->is_gzip()) return stored;
  Text out;
  std::vector<char> piece(std::size_t{1} << 16);
  while (const std::size_t read = source->read(piece.data(), piece.size())) {
    out.text.append(piece.data(), read);
    if (out.text.size() > max_text_bytes)
      return fmt::format("{}: is larger than {} MB when decompressed", file.string(), max_text_bytes >> 20);
  }
  if (source->end() != ByteSource::End::complete) return fmt::format("{}: is damaged (gzip)", file.string());
  return out;
}

std::variant<std::vector<std::uint8_t>, std::string> read_binary_file(const std::filesystem::path& file,
                                                                      std::uint64_t bytes) {
  const auto size = regular_file_size(file);
  if (const auto* const error = std::get_if<std::string>(&size)) return *error;
  if (const std::uint64_t has = std::get<std::uint64_t>(size); has != bytes)
    return fmt::format("{}: has {} bytes but must have {}", file.string(), has, bytes);
  std::vector<std::uint8_t> out(bytes);
  if (std::string error = read_all(file, reinterpret_cast<char*>(out.data()), bytes); !error.empty()) return error;
  return out;
}

}  // namespace warpwalk::platform
