#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace/byte_source.h"

namespace warpwalk::trace {

/// A stretch of the text in memory that moves forward over a ByteSource. Whatever is parsed must lie in it whole: if it
/// does not, call more() and start over.
class Window {
 public:
  explicit Window(ByteSource& source, std::uint64_t cap) : source_(source), cap_(cap), buffer_(first_size) {}

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
  static constexpr std::size_t first_size = std::size_t{1} << 20;

  ByteSource& source_;
  std::uint64_t cap_;
  std::vector<char> buffer_;
  std::size_t from_ = 0;
  std::size_t to_ = 0;
  std::uint64_t offset_ = 0;
  bool complete_ = false;
};

}  // namespace warpwalk::trace
