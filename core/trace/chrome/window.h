#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/platform/byte_source.h"

namespace warpwalk::trace {

/// A stretch of the text in memory that moves forward over a ByteSource. Whatever is parsed must lie in it whole: if it
/// does not, call more() and start over.
class Window {
 public:
  /// `size`: bytes held at first; grows up to `cap` where one thing needs more.
  Window(platform::ByteSource& source, std::size_t size, std::uint64_t cap)
      : source_(source), size_(size), cap_(cap), buffer_(size) {}

  std::string_view text() const { return {buffer_.data() + from_, to_ - from_}; }
  /// No more text will come.
  bool complete() const { return complete_; }
  /// Position of text()'s first byte in the whole text.
  std::uint64_t offset() const { return offset_; }
  void drop(std::size_t n) {
    from_ += n;
    offset_ += n;
  }
  /// Appends what comes next. False at the end of the text, or where text() has reached the cap.
  bool more();

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
