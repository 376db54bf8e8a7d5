#pragma once

#include <cstdint>
#include <string_view>

#include "core/sass/elf/bytes.h"

namespace warpwalk::sass {

/// Reads numbers one after another. After a read outside of the bytes, ok() is false and everything reads as 0.
class DwarfCursor {
 public:
  explicit DwarfCursor(std::string_view bytes, std::uint64_t at = 0) : bytes_(bytes), at_(at) {}

  bool ok() const { return ok_; }
  bool at_end() const { return !ok_ || at_ >= bytes_.size(); }
  std::uint64_t at() const { return at_; }

  std::uint64_t number(unsigned count) {
    const auto value = bytes_.number(at_, count);
    if (!value) return fail();
    at_ += count;
    return *value;
  }
  std::uint64_t leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && ok_; shift += 7) {
      const std::uint64_t byte = number(1);
      value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
    return fail();
  }
  std::int64_t signed_leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && ok_; shift += 7) {
      const std::uint64_t byte = number(1);
      value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) != 0) continue;
      if ((byte & 0x40) != 0 && shift + 7 < 64) value |= ~std::uint64_t{0} << (shift + 7);
      return static_cast<std::int64_t>(value);
    }
    return static_cast<std::int64_t>(fail());
  }
  std::string_view text() {
    const std::string_view found = bytes_.text(at_);
    skip(found.size() + 1);
    return found;
  }
  std::string_view part(std::uint64_t count) {
    const auto found = bytes_.part(at_, count);
    skip(count);
    return found.value_or(std::string_view());
  }
  void skip(std::uint64_t count) {
    if (!bytes_.part(at_, count))
      fail();
    else
      at_ += count;
  }

 private:
  std::uint64_t fail() {
    ok_ = false;
    return 0;
  }

  Bytes bytes_;
  std::uint64_t at_ = 0;
  bool ok_ = true;
};

}  // namespace warpwalk::sass
