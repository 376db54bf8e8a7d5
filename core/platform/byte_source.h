#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace warpwalk::platform {

/// Text in blocks, from a plain or a gzip file or from memory. Which of the two it is is told by the first two bytes.
class ByteSource {
 public:
  /// gzip_trailing: the compressed text is whole, but the file goes on with something else.
  enum class End { none, complete, gzip_truncated, gzip_corrupt, gzip_trailing, read_error };

  virtual ~ByteSource() = default;
  /// Fills up to `room` bytes and says how many; 0 at the end, whose reason end() then tells.
  virtual std::size_t read(char* to, std::size_t room) = 0;
  virtual End end() const = 0;
  /// Bytes of the file taken so far (compressed, where it is compressed).
  virtual std::uint64_t consumed() const = 0;
  /// Bytes of the file, compressed where it is compressed.
  virtual std::uint64_t total() const = 0;
  virtual bool is_gzip() const = 0;
};

struct OpenedSource {
  std::unique_ptr<ByteSource> source;
  std::optional<std::string> error;  ///< one line: what, where, what to do; then there is no source
};

OpenedSource open_source(const std::filesystem::path& file);
/// The bytes must outlive the source.
std::unique_ptr<ByteSource> memory_source(std::string_view bytes);

}  // namespace warpwalk::platform
