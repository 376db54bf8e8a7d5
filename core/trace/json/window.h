#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/platform/byte_source.h"

namespace warpwalk::trace {

/// A buffer that moves forward over a ByteSource. An item must fit in it completely to be parsed: if it does not, call
/// more() and parse it again.
class Window {
 public:
  /// `size`: initial size in bytes; the buffer grows up to `cap` if one item needs more.
  Window(platform::ByteSource& source, std::size_t size, std::uint64_t cap)
      : source_(source), size_(size), cap_(cap), buffer_(size) {}

  std::string_view text() const { return {buffer_.data() + from_, to_ - from_}; }
  /// True if the source has no more text.
  bool complete() const { return complete_; }
  /// Position of the first byte of text() in the whole text.
  std::uint64_t offset() const { return offset_; }
  void drop(std::size_t n) {
    from_ += n;
    offset_ += n;
  }
  /// Reads more text into the buffer. Returns false at the end of the text or if text() has reached the cap.
  bool more();
  /// Reads until text() has this many bytes, if there are so many.
  void fill(std::size_t bytes) {
    while (text().size() < bytes && more()) {
    }
  }

 private:
  platform::ByteSource& source_;
  std::size_t size_;
  std::uint64_t cap_;
  std::vector<char> buffer_;
  std::size_t from_ = 0;
  std::size_t to_ = 0;
  std::uint64_t offset_ = 0;
  bool complete_ = false;
};

}  // namespace warpwalk::trace
