#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "core/base/result.h"

namespace warpwalk::platform {

/// Reads text in blocks from a plain file, a gzip file or memory. gzip is detected by its magic bytes.
class ByteSource {
 public:
  /// gzip_trailing: the compressed text is intact, but other data follows it in the file.
  enum class End { none, complete, gzip_truncated, gzip_corrupt, gzip_trailing, read_error };

  virtual ~ByteSource() = default;
  /// Reads up to `room` bytes and returns the number read. Returns 0 at the end; end() then gives the reason.
  virtual std::size_t read(char* to, std::size_t room) = 0;
  virtual End end() const = 0;
  /// Bytes of the file read so far (compressed bytes for gzip).
  virtual std::uint64_t consumed() const = 0;
  /// Size of the file in bytes (compressed size for gzip); 0 if unknown, e.g. for a pipe.
  virtual std::uint64_t total() const = 0;
  virtual bool is_gzip() const = 0;
};

/// The error names the file.
base::Result<std::unique_ptr<ByteSource>> open_source(const std::filesystem::path& file);
/// The bytes must outlive the source.
std::unique_ptr<ByteSource> memory_source(std::string_view bytes);

}  // namespace warpwalk::platform
