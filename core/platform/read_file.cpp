#include "core/platform/read_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/platform/byte_source.h"
#include "core/platform/tar_member.h"

namespace warpwalk::platform {
namespace {

/// The size of a regular file.
base::Result<std::uint64_t> regular_file_size(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return base::Error{fmt::format("{}: there is no such file", file.string())};
  if (!std::filesystem::exists(status)) return base::Error{fmt::format("{}: {}", file.string(), error.message())};
  if (!std::filesystem::is_regular_file(status))
    return base::Error{fmt::format("{}: is not a regular file", file.string())};
  const std::uint64_t size = std::filesystem::file_size(file, error);
  if (error) return base::Error{fmt::format("{}: {}", file.string(), error.message())};
  return size;
}

/// Reads `size` bytes into `bytes`.
base::Result<void> read_all(const std::filesystem::path& file, char* bytes, std::uint64_t size) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  in.read(bytes, static_cast<std::streamsize>(size));
  if (in && static_cast<std::uint64_t>(in.gcount()) == size) return {};
  return base::Error{fmt::format("{}: cannot be read: {}", file.string(),
                                 errno != 0 ? std::strerror(errno) : "it was truncated while being read")};
}

}  // namespace

base::Result<void> check_regular_file(const std::filesystem::path& file) {
  const auto size = regular_file_size(file);
  if (!size) return base::Error{size.error()};
  return {};
}

base::Result<Text> read_text_file(const std::filesystem::path& file, std::uint64_t max_bytes) {
  const auto size = regular_file_size(file);
  if (!size) return base::Error{size.error()};
  const std::uint64_t bytes = *size;
  if (bytes > max_bytes)
    return base::Error{
        fmt::format("{}: is larger than {}", file.string(), base::bytes_text(static_cast<double>(max_bytes)))};
  Text text;
  text.text.resize(bytes);
  if (const auto done = read_all(file, text.text.data(), bytes); !done) return base::Error{done.error()};
  return text;
}

base::Result<Text> read_compressed_file(const std::filesystem::path& file) {
  auto stored = read_text_file(file);
  if (!stored) return stored;
  const std::unique_ptr<ByteSource> source = memory_source(stored->text);
  if (!source->is_gzip()) return stored;
  Text out;
  std::vector<char> piece(std::size_t{1} << 16);
  while (const std::size_t read = source->read(piece.data(), piece.size())) {
    out.text.append(piece.data(), read);
    if (out.text.size() > max_text_bytes)
      return base::Error{fmt::format("{}: is larger than {} when decompressed", file.string(),
                                     base::bytes_text(static_cast<double>(max_text_bytes)))};
  }
  if (source->end() != ByteSource::End::complete)
    return base::Error{fmt::format("{}: is damaged (gzip)", file.string())};
  return out;
}

base::Result<std::vector<std::uint8_t>> read_binary_file(const std::filesystem::path& file, std::uint64_t bytes) {
  if (const auto member = tar_member(file)) return read_tar_member(*member, bytes);
  const auto size = regular_file_size(file);
  if (!size) return base::Error{size.error()};
  if (const std::uint64_t has = *size; has != bytes)
    return base::Error{fmt::format("{}: has {} bytes but must have {}", file.string(), has, bytes)};
  std::vector<std::uint8_t> out(bytes);
  if (const auto done = read_all(file, reinterpret_cast<char*>(out.data()), bytes); !done)
    return base::Error{done.error()};
  return out;
}

}  // namespace warpwalk::platform
