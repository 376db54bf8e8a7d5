#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpwalk::sass {

/// Little-endian numbers in bytes that may be damaged. Every read is checked.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

  std::size_t size() const { return bytes_.size(); }
  std::string_view view() const { return bytes_; }

  /// A number of `count` bytes (1 to 8) at an offset; nullopt if it is not inside.
  std::optional<std::uint64_t> number(std::uint64_t offset, unsigned count) const {
    if (offset > bytes_.size() || bytes_.size() - offset < count) return std::nullopt;
    std::uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i)
      value |= std::uint64_t{static_cast<unsigned char>(bytes_[offset + i])} << (8 * i);
    return value;
  }

  /// Bytes at an offset; nullopt if they are not all inside.
  std::optional<std::string_view> part(std::uint64_t offset, std::uint64_t count) const {
    if (offset > bytes_.size() || bytes_.size() - offset < count) return std::nullopt;
    return bytes_.substr(offset, count);
  }

  /// The text from an offset to the next zero byte or the end; empty if the offset is outside.
  std::string_view text(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return {};
    const std::string_view rest = bytes_.substr(offset);
    return rest.substr(0, rest.find('\0'));
  }

 private:
  std::string_view bytes_;
};

}  // namespace warpwalk::sass
